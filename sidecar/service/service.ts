/**
 * Installs home as a systemd service (writes and starts the unit), or stops and removes it. Must not touch the state
 * folder. Called by `pfar service`.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UNIT_NAME } from './unit.ts'

/** Milliseconds. Stopping waits for home's running work. */
const LONGEST = 120_000

export interface ServiceInput {
  /** Folder of the units. */
  readonly units: string
  /** Whether to use the account's own systemd instance, or the system's. */
  readonly own: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type Serviced =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: string }

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
