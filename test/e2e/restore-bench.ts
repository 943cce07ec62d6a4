/**
 * What the tests of backup and restore share: `pfar` with a passphrase on stdin, the rows of a store, and the one thing
 * that is in no backup.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Ran } from './terminal-bench.ts'

const CLI = fileURLToPath(new URL('../../sidecar/cli/main.ts', import.meta.url))

export interface Typing {
  readonly state: string
  readonly lines?: readonly string[]
  /** 512-byte blocks that a file may have: the system refuses to write more. */
  readonly largestFile?: number
}

/** Runs one `pfar` command, types the lines, and waits for its end. */
export async function pfar(
  args: readonly string[],
  { state, lines = [], largestFile }: Typing,
): Promise<Ran> {
  const { PATH = '' } = process.env
  const environment = { PATH, PFAR_HOME: state, NO_COLOR: '1' }
  const command = [process.execPath, CLI, ...args]
  // A shell, because only it can lower a limit for the program that takes its place.
  const limited = ['-c', `trap '' XFSZ; ulimit -f ${largestFile}; exec "$@"`, 'sh', ...command]
  const child =
    largestFile === undefined
      ? spawn(process.execPath, [CLI, ...args], { env: environment })
      : spawn('/bin/sh', limited, { env: environment })
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk))
  const [code] = await once(child, 'close')
  return { code, out, err }
}

/** Every row of every table. */
export function rowsOf(path: string): readonly (readonly [string, number, unknown])[] {
  const database = new DatabaseSync(path)
  const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  const rows = tables.map(({ name }) => {
    const all = database.prepare(`select * from "${String(name)}"`).all()
    return [String(name), all.length, all] as const
  })
  database.close()
  return rows
}

/**
 * The master key of the sealed rows, which no backup holds. Today it is a development key in a file, kept apart by the
 * owner; the recovery phrase will stand here, and this is the only place that knows.
 */
export function keepMasterKey(state: string): { readonly bringBack: () => void } {
  const key = readFileSync(join(state, 'dev.key'))
  return { bringBack: () => writeFileSync(join(state, 'dev.key'), key, { mode: 0o600 }) }
}
