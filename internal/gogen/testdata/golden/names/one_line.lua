return 10
