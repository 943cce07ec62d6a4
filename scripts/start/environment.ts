/**
 * The environment that children get: what a program needs to find its files and speak the language, and nothing
 * else. A shell is full of tokens that home, edge and demo have no business with. Called by scripts/start.ts.
 */
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
  // Where systemd put the credentials of its unit: a path, not a secret.
  'CREDENTIALS_DIRECTORY',
  // A Bot API server of the owner's own, for a bot that is activated by saying so: an address, not a secret.
  'PFAR_TELEGRAM_API',
]

type Environment = Readonly<Record<string, string | undefined>>

/** `extra` wins; an undefined value leaves the name out. */
export function childEnvironment(environment: Environment, extra: Environment = {}): Record<string, string> {
  const kept = Object.fromEntries(KEPT.map((name) => [name, environment[name]]))
  return Object.fromEntries(
    Object.entries({ ...kept, ...extra }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
}
