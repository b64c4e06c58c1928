/* A model in C: two steps of four values, written attached to from_c.nc. argv[1]: the XML file. */
#include <epios/epios.h>
#include <stdio.h>

enum { levels = 4, steps = 2 };

static int run(epios_client* client) {
  epios_context* context = NULL;
  const double heights[levels] = {0.0, 10.0, 20.0, 30.0};
  const int64_t shape[1] = {levels};
  int code = epios_context_open(client, "consumer", &context);
  if (code == EPIOS_SUCCESS) code = epios_set_text(context, "file", "output", "name", "from_c");
  if (code == EPIOS_SUCCESS)
    code = epios_set_doubles(context, "axis", "level", "value", heights, 1, shape);
  if (code == EPIOS_SUCCESS) code = epios_close_definition(context);
  for (int step = 1; step <= steps && code == EPIOS_SUCCESS; ++step) {
    const double heat[levels] = {step, step + 0.25, step + 0.5, step + 0.75};
    code = epios_update_calendar(context, step);
    if (code == EPIOS_SUCCESS) code = epios_send_double(context, "heat", heat, levels);
  }
  if (code == EPIOS_SUCCESS) code = epios_context_finalize(context);
  return code;
}

int main(int argc, char** argv) {
  epios_session_options options = EPIOS_SESSION_OPTIONS_INIT;
  epios_session* session = NULL;
  epios_client* client = NULL;
  if (argc != 2) return 2;
  options.iodef = argv[1];
  int code = epios_session_open("consumer", &options, &session);
  if (code == EPIOS_SUCCESS) code = epios_client_open(session, 0, &client);
  if (code == EPIOS_SUCCESS) code = run(client);
  if (code == EPIOS_SUCCESS) code = epios_client_close(client);
  if (code == EPIOS_SUCCESS) code = epios_session_close(session);
  if (code != EPIOS_SUCCESS) {
    fprintf(stderr, "use_client: %s\n", epios_last_error());
    return 1;
  }
  return 0;
}
