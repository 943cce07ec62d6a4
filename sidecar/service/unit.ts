/**
 * The systemd unit that keeps home running, as text. Pure: paths in, text out; every path is quoted as systemd reads it. Must not
 * write it. Called by service.ts.
 */
import type { CustodyKind } from '../keys/custody.ts'
import { MALLOC_SETTING } from '../malloc-setting.ts'

export const UNIT_NAME = 'pfar.service'

export interface UnitInput {
  /** Absolute paths: of Node, of home's script, of the state folder. */
  readonly node: string
  readonly script: string
  readonly folder: string
  readonly custody: CustodyKind
  /** The account that home runs as, where systemd's own instance runs it; null for a unit of that account's instance. */
  readonly user: number | null
}

/** Without a space in any: no quotes are needed. */
const MALLOC = Object.entries(MALLOC_SETTING)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')
/** What a stolen home could not do: both instances of systemd can see to it. Namespaces stay: the sandbox of its readers is made of them. */
const CONFINED = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictSUIDSGID=yes',
  'RestrictRealtime=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
]
/** What only the system's instance can: the rest of the machine is not there to be written. */
const WALLED = [
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateTmp=yes',
  'PrivateDevices=yes',
  'ProtectKernelTunables=yes',
  'ProtectKernelModules=yes',
  'ProtectControlGroups=yes',
  'CapabilityBoundingSet=',
]

/** Throws on a path that systemd cannot be told: one with a line break. */
export function unitText({ node, script, folder, custody, user }: UnitInput): string {
  const lines = [
    '[Unit]',
    'Description=PFAR home',
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${inCommand(node)} ${inCommand(script)}`,
    `Environment=${quoted(`PFAR_HOME=${folder}`)} ${MALLOC}`,
    ...(custody === 'systemd'
      ? [`LoadCredentialEncrypted=pfar-master:${plain(`${folder}/pfar-master.cred`)}`]
      : []),
    ...(user === null ? [] : [`User=${user}`, ...WALLED, `ReadWritePaths=${quoted(folder)}`]),
    ...CONFINED,
    'UMask=0077',
    'Restart=on-failure',
    'RestartSec=5',
    '',
    '[Install]',
    `WantedBy=${user === null ? 'default.target' : 'multi-user.target'}`,
  ]
  return `${lines.join('\n')}\n`
}

/** A percent sign begins a specifier in every setting. */
function plain(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new RangeError('a path with a line break fits no unit')
  return text.replaceAll('%', '%%')
}

function quoted(text: string): string {
  return `"${plain(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** In a command a dollar sign begins a variable, too. */
function inCommand(text: string): string {
  return quoted(text).replaceAll('$', '$$$$')
}
