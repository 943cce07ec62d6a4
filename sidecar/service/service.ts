/**
 * Home as a service of systemd: writes its unit and has it started, or stops it and takes the unit away. Must not touch
 * the state folder, which is its owner's. Called by `pfar service`.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UNIT_NAME } from './unit.ts'

/** Milliseconds: a stop waits for what home has under way. */
const LONGEST = 120_000

export interface ServiceInput {
  /** Folder of units. */
  readonly units: string
  /** Of the account's own instance of systemd, or of the system's. */
  readonly own: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}

export type Serviced =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly why: string }

/** Starts it at once, anew where it ran, and with every start of the machine. What could not be started is taken away again. */
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
    // One that runs is not started by that: it would go on under what its former unit forbids.
    (wasThere ? await systemctl(input, ['restart', UNIT_NAME]) : null)
  if (why === null) return { ok: true, path }
  await removeService(input)
  return { ok: false, why }
}

/** Whether it was there does not matter. */
export async function removeService(input: ServiceInput): Promise<Serviced> {
  const path = join(input.units, UNIT_NAME)
  // Refused for a unit that is not there.
  await systemctl(input, ['disable', '--now', UNIT_NAME])
  try {
    rmSync(path, { force: true })
  } catch {
    return { ok: false, why: `${path} cannot be removed` }
  }
  await systemctl(input, ['daemon-reload'])
  return { ok: true, path }
}

/** Null when it worked, else its own words. */
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
