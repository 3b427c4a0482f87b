# Sourced by the groups that run several programs: adds up their counts.
passed=0
failed=0

# count NAME COMMAND...: runs a program whose last line has its counts.
count() {
    local name=$1 line
    shift
    echo "-- $name"
    line=$("$@" 2>&1 | tee /dev/stderr | tail -n 1) || true
    [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || { echo "$name ended with: $line"; exit 1; }
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
}

# The last line of the group, and its exit code.
print_counts() {
    echo "$passed passed, $failed failed"
    ((failed == 0))
}
