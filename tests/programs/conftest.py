"""What holds for each of these tests."""
pytest_plugins = ["empty_folder"]
