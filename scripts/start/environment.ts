/**
 * Environment of child processes: the variables that a program needs for its files and its language, and no others, because a
 * shell's environment is full of tokens. Called by the files that start a child process.
 */
import { NPM_SCRIPT } from '../../sidecar/process/typed-commands.ts'

const KEPT: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  // Folder in which systemd put the credentials of its unit: a path, not a secret.
  'CREDENTIALS_DIRECTORY',
  // By what npm was told to start this: whether `pfar` is typed with npm in front. A name, not a secret.
  NPM_SCRIPT,
  // The owner's own Bot API server, for a bot that is activated in a chat: an address, not a secret.
  'PFAR_TELEGRAM_API',
]

type Environment = Readonly<Record<string, string | undefined>>

/** `extra` takes precedence; an undefined value removes the name. */
export function childEnvironment(environment: Environment, extra: Environment = {}): Record<string, string> {
  const kept = Object.fromEntries(KEPT.map((name) => [name, environment[name]]))
  return Object.fromEntries(
    Object.entries({ ...kept, ...extra }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
}
