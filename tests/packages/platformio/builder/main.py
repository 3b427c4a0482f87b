"""Builds a program of this machine, with the libraries of the board after those of the project."""
from SCons.Script import Default, DefaultEnvironment  # pylint: disable=import-error

env = DefaultEnvironment()
launcher = env["ENV"].get("CMAKE_CXX_COMPILER_LAUNCHER", "")
env.Replace(CC="gcc", CXX=f"{launcher} g++", AR="ar", RANLIB="ranlib", LINK="g++", SIZETOOL=None, PROGSUFFIX="")
env.Replace(LINKCOM=env["LINKCOM"] + " " + env.GetProjectOption("custom_board_libraries", ""))
Default(env.BuildProgram())
