/**
 * Generates home's systemd unit as text. Pure: paths in, text out; paths are quoted as systemd requires. Must not write
 * it. Called by service.ts.
 */
import type { CustodyKind } from '../keys/custody.ts'
import { MALLOC_SETTING } from '../process/malloc-setting.ts'

export const UNIT_NAME = 'pfar.service'

export interface UnitInput {
  /** Absolute paths of Node, of home's script, and of the state folder. */
  readonly node: string
  readonly script: string
  readonly folder: string
  readonly custody: CustodyKind
  /** Account that home runs as in a system unit; null for a unit of that account's own systemd instance. */
  readonly user: number | null
}

/** No value contains a space, so no quotes are needed. */
const MALLOC = Object.entries(MALLOC_SETTING)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')
/**
 * Restrictions that both kinds of instance support. Namespaces stay allowed, because the sandbox of the file readers
 * uses them.
 */
const CONFINED = [
  'NoNewPrivileges=yes',
  'LockPersonality=yes',
  'RestrictSUIDSGID=yes',
  'RestrictRealtime=yes',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  'SystemCallArchitectures=native',
]
/** Restrictions that only the system instance supports: they make the rest of the file system read-only. */
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

/** Throws on a path that contains a line break, which systemd cannot represent. */
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

/** A percent sign starts a specifier in every setting. */
function plain(text: string): string {
  if (/[\r\n\0]/.test(text)) throw new RangeError('a path with a line break fits no unit')
  return text.replaceAll('%', '%%')
}

function quoted(text: string): string {
  return `"${plain(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** In a command, a dollar sign also starts a variable. */
function inCommand(text: string): string {
  return quoted(text).replaceAll('$', '$$$$')
}
