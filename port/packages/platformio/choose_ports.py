"""Chooses the ports to compile: those of the project's framework, and those that it names in platformio.ini, such as

    custom_microparquet_ports = fatfs

FatFs and littlefs themselves come from the project or its framework.
"""
Import("env")  # noqa: F821  pylint: disable=undefined-variable

CORE = ["+<*>", "-<port/>", "+<port/uart/>"]
PORTS_OF_FRAMEWORKS = {
    "arduino": ["fat_common", "arduino"],
    "espidf": ["fat_common", "esp_idf"],
    "zephyr": ["fat_common", "zephyr"],
}

ports = []
for framework in env.get("PIOFRAMEWORK", []):  # noqa: F821  pylint: disable=undefined-variable
    ports += PORTS_OF_FRAMEWORKS.get(framework, [])
if "arduino" in env.get("PIOFRAMEWORK", []) and env.subst("$PIOPLATFORM") == "espressif32":  # noqa: F821
    ports += ["esp_idf"]
ports += env.GetProjectOption("custom_microparquet_ports", "").replace(",", " ").split()  # noqa: F821
env.Replace(SRC_FILTER=CORE + [f"+<port/{port}/>" for port in dict.fromkeys(ports)])  # noqa: F821
