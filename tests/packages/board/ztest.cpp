// Runs the one test of the module.
void write_and_read_test_rows_of_two_boots();

int main() { write_and_read_test_rows_of_two_boots(); }
