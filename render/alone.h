/* landscaped-render without a daemon: draws the scene of a file, once or again and again, and says
 * with what and how fast.
 *
 *   --scene FILE      as `POST …/render` writes it with "format":"scene"
 *   --output FILE     the picture: .pam, or .raw for the RGBA bytes alone
 *   --backend NAME    as the daemon's --render-backend (default: auto)
 *   --repeat N        frames, the first not counted (default: 1)
 *   --bare            also draws the same triangles barely, turn by turn: what a frame must cost
 *   --texture-bytes N what is kept of the ground (default: 256 MiB)
 */
#ifndef RENDER_ALONE_H
#define RENDER_ALONE_H

/* Of the whole command line; the exit status. */
int alone(int count, char **arguments);

#endif
