# Sourced by the commands that install what they lack: Debian packages, and Python packages into a virtual environment.
# Both say what they install, and return what apt or pip came to.

# Whether a Debian package is installed.
has_package() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Takes of "A|B" the first that the distribution has, and prints it unless it is installed.
missing_of() {
    local choices choice
    IFS='|' read -ra choices <<<"$1"
    for choice in "${choices[@]}"; do
        if has_package "$choice"; then
            return
        fi
        if apt-cache show --no-all-versions "$choice" >/dev/null 2>&1; then
            echo "$choice"
            return
        fi
    done
    echo "${choices[0]}"
}

missing_packages() {
    local package
    for package in "$@"; do
        missing_of "$package"
    done | sort -u
}

# Runs a command as root.
as_root() {
    if (($(id -u) == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "not root, and no sudo: run as root: $*" >&2
        return 1
    fi
}

# install_packages yes|no PACKAGE...: with "no", and where there is no apt, only says what is missing.
install_packages() {
    local allowed=$1 missing
    shift
    if ! command -v dpkg-query >/dev/null; then
        echo "not a Debian system; these packages are expected under whatever name: $*"
        return
    fi
    mapfile -t missing < <(missing_packages "$@")
    if ((${#missing[@]} == 0)); then
        return
    fi
    if [[ $allowed == no ]]; then
        echo "missing, and not installed because of --no-install: ${missing[*]}"
        return
    fi
    as_root apt-get -q update || return
    # Only now are the package lists complete, and the choices of A|B certain.
    mapfile -t missing < <(missing_packages "$@")
    echo "installing by apt: ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends "${missing[@]}"
}

# install_requirements VENV FILE: makes the environment when there is none, and installs FILE's pinned packages into it,
# once for each content of FILE. A file names all that it needs, or another that is installed with it does, in any order.
install_requirements() {
    local venv=$1 file=$2 stamp
    stamp=$venv/installed-$(basename "$file")
    if [[ ! -x $venv/bin/python ]]; then
        echo "making a Python environment in $venv"
        python3 -m venv "$venv" || return
    fi
    if cmp -s "$file" "$stamp"; then
        return
    fi
    echo "installing by pip into $venv: $(sed -n 's/^\([a-z0-9_-]*==[^ ]*\).*/\1/p' "$file" | tr '\n' ' ')"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r "$file" &&
        cp "$file" "$stamp"
}
