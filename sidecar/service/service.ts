/**
 * Home as a systemd service: the account it runs as, which is never root (E-10), because a compromised home would control the
 * machine; its unit; installation and removal. Must not touch the state folder. Called by main.js and by `pfar service`.
 */

import { execFile } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { CustodyKind } from '../keys/custody.ts'
import { tell } from '../language/wording.ts'
import { NPM_SCRIPT } from '../process/typed-commands.ts'

const ROOT = 0

interface Running {
  readonly uid: number | undefined
  readonly pid: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Whether systemd started this process: it sets the pid in a variable, and a shell in its session has another pid. */
export function isService({ pid, env }: Pick<Running, 'pid' | 'env'>): boolean {
  return env['SYSTEMD_EXEC_PID'] === String(pid)
}

/** Refusal: config_malformed. */
export function checkAccount({ uid, pid, env }: Running): Result<true> {
  return uid === ROOT && isService({ pid, env }) ? asRoot() : ok(true)
}

/** Owner of the state folder, which a system unit runs home as. Refusals: config_malformed, storage_failed. */
export function serviceAccount(folder: string): Result<number> {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory() !== true)
    return err('storage_failed', { file: 'PFAR_HOME', problem: tell('service_setup.no_folder') })
  return found.uid === ROOT ? asRoot() : ok(found.uid)
}

/** Runs `work` with that account's rights only: root would follow links that the account planted. */
export async function asAccount<T>(uid: number, work: () => Promise<T>): Promise<T> {
  process.seteuid?.(uid)
  try {
    return await work()
  } finally {
    process.seteuid?.(ROOT)
  }
}

function asRoot(): Result<never> {
  return err('config_malformed', { file: 'pfar.service', problem: tell('service_setup.as_root') })
}

export const MALLOC_SETTING = Object.freeze({
  /** One arena. By default glibc keeps one per thread, which costs an idle home a tenth of its memory. */
  MALLOC_ARENA_MAX: '1',
  /**
   * Bytes from which an allocation gets its own pages, returned when it is freed. V8 allocates in units of 32 KiB; on
   * the heap, small long-lived blocks between them would keep freed memory resident: 6 MB in an idle home, and up to 16
   * MB if glibc adjusts the threshold itself.
   */
  MALLOC_MMAP_THRESHOLD_: '32768',
})

export const UNIT_NAME = 'pfar.service'

export interface UnitInput {
  /** Absolute paths of Node, of home's script, and of the state folder. */
  readonly node: string
  readonly script: string
  readonly folder: string
  readonly custody: CustodyKind
  /** Account that home runs as in a system unit; null for a unit of that account's own systemd instance. */
  readonly user: number | null
  /** Script of npm by which this command was typed, so that home says commands the same way; null where npm was not in it. */
  readonly npm: string | null
}

/** No value contains a space, so no quotes are needed. */
const MALLOC = Object.entries(MALLOC_SETTING)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')
/** Restrictions that both kinds of instance support. Namespaces stay allowed: the sandbox of file readers uses them. */
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
export function unitText({ node, script, folder, custody, user, npm }: UnitInput): string {
  const lines = [
    '[Unit]',
    'Description=PFAR home',
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${inCommand(node)} ${inCommand(script)}`,
    `Environment=${quoted(`PFAR_HOME=${folder}`)} ${MALLOC}${npm === null ? '' : ` ${NPM_SCRIPT}=${npm}`}`,
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

const LONGEST = 120_000

export interface ServiceInput {
  /** Folder of the units. */
  readonly units: string
  /** Whether to use the account's own systemd instance, or the system's. */
  readonly own: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

type Serviced = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string }

/** Starts or restarts it now, and at every boot. A unit that fails to start is removed again. */
export async function installService(input: ServiceInput, text: string): Promise<Serviced> {
  const path = join(input.units, UNIT_NAME)
  const wasThere = existsSync(path)
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: 0o644 })
  } catch {
    return { ok: false, why: `${path} cannot be written` }
  }
  const why =
    (await systemctl(input, ['daemon-reload'])) ??
    (await systemctl(input, ['enable', '--now', UNIT_NAME])) ??
    // `enable --now` does not restart a running service, which would keep the restrictions of its former unit.
    (wasThere ? await systemctl(input, ['restart', UNIT_NAME]) : null)
  if (why === null) return { ok: true, path }
  await removeService(input)
  return { ok: false, why }
}

/** Succeeds also if the unit does not exist. */
export async function removeService(input: ServiceInput): Promise<Serviced> {
  const path = join(input.units, UNIT_NAME)
  // Fails for a unit that does not exist, which is ignored.
  await systemctl(input, ['disable', '--now', UNIT_NAME])
  try {
    rmSync(path, { force: true })
  } catch {
    return { ok: false, why: `${path} cannot be removed` }
  }
  await systemctl(input, ['daemon-reload'])
  return { ok: true, path }
}

/** Null if it succeeded, otherwise its error text. */
function systemctl({ own, environment }: ServiceInput, args: readonly string[]): Promise<string | null> {
  const { PATH, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS } = environment
  const env = { PATH, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS, LC_ALL: 'C' }
  return new Promise((resolve) => {
    execFile(
      'systemctl',
      [...(own ? ['--user'] : []), ...args],
      { env, timeout: LONGEST },
      (error, out, err) => {
        if (error === null) return resolve(null)
        resolve(`${err}${out}`.trim() || 'systemctl could not be run')
      },
    )
  })
}
