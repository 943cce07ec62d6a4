/**
 * Checks the account that home runs as (E-10): never root under systemd, because a compromised home would control the
 * machine. The owner may start it as root by hand. Called by main.ts and by `pfar service`.
 */
import { lstatSync } from 'node:fs'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

const ROOT = 0

export interface Running {
  readonly uid: number | undefined
  readonly pid: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Whether systemd started this process: it sets the pid in a variable, and a shell in one of its sessions has another
 * pid.
 */
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
    return err('storage_failed', { file: 'PFAR_HOME', problem: 'there is no such folder' })
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
  const problem =
    'a service does not run as root. Give the state folder to an account of its own, as with: useradd --system pfar && chown -R pfar: "$PFAR_HOME", then `pfar service install` as root; or run `pfar service install` as yourself'
  return err('config_malformed', { file: 'pfar.service', problem })
}
