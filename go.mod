module github.com/luagen/luagen

go 1.25.0
