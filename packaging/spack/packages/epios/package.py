from spack.package import *


class Epios(CMakePackage):
    """Client-server I/O middleware for climate models, in the style of XIOS, on MPI endpoints."""

    homepage = "https://example.org/epios"
    git = "https://example.org/epios.git"  # a site names its own: spack develop --path CHECKOUT epios@main

    license("Apache-2.0")

    version("main", branch="main")

    variant("fortran", default=True, description="Modules xios and epios for Fortran models")
    variant("python", default=False, description="Package epios for Python")
    variant("zarr", default=True, description="Zstandard and Blosc for Zarr stores")
    variant("endpoints_only", default=False, description="ep_core alone: threads as ranks of MPI, without I/O")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3:", type="build")
    depends_on("mpi@3.1:")
    depends_on("hwloc@2:")
    depends_on("cli11")
    with when("~endpoints_only"):
        depends_on("netcdf-c@4.7:+mpi")
        depends_on("hdf5@1.10:+mpi+hl")
        depends_on("libdeflate")
        depends_on("isa-l")
        depends_on("zlib-api")
        depends_on("fmt@9:11")
        depends_on("spdlog@1.10:1.15+fmt_external")
        depends_on("pugixml")
        depends_on("nlohmann-json")
        depends_on("udunits")
        depends_on("sleef@3.5:")
    depends_on("zstd", when="+zarr")
    depends_on("c-blosc", when="+zarr")
    depends_on("python", when="+python")
    depends_on("py-numpy", when="+python", type=("build", "run"))
    depends_on("py-pybind11", when="+python", type="build")
    extends("python", when="+python")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("EPIOS_SYSTEM_NETCDF", True),
            self.define("EPIOS_BUILD_TESTS", self.run_tests),
            self.define("EPIOS_BUILD_EXAMPLES", False),
            self.define("EPIOS_WERROR", False),
            self.define_from_variant("EPIOS_FORTRAN", "fortran"),
            self.define_from_variant("EPIOS_ONLY_EP_CORE", "endpoints_only"),
        ]
