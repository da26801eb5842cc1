print("barge")
