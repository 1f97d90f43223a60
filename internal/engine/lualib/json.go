package lualib

type jsonConfig struct{}

func defaultJSONConfig() jsonConfig { return jsonConfig{} }
