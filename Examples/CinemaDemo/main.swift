print("cinema")
