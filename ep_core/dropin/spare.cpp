// ep_spare: a parked process (epexec -spare), which runs what EP_Comm_spawn loads into it.
#include <ep/program.h>

int main() { return ep_program_serve(); }
