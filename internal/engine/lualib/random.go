package lualib

type Random struct{}

func NewRandom() *Random { return &Random{} }
