/**
 * What the tests of backup and restore share: `pfar` with a passphrase on stdin, the rows of a store, and a master key, which is
 * in no backup.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Ran } from '../kit/commands.ts'

const CLI = fileURLToPath(new URL('../../sidecar/cli/main.js', import.meta.url))

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
  const { PATH = '', CREDENTIALS_DIRECTORY = '' } = process.env
  const environment = { PATH, CREDENTIALS_DIRECTORY, PFAR_HOME: state, NO_COLOR: '1' }
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

/** A master key as systemd loads it for a service: home starts with it unattended, and it is no development key. */
export function serviceKey(): {
  readonly put: (state: string) => void
  readonly adopt: (state: string) => void
} {
  const loaded = mkdtempSync(join(tmpdir(), 'pfar-credentials-'))
  writeFileSync(join(loaded, 'pfar-master'), randomBytes(32), { mode: 0o600 })
  process.env['CREDENTIALS_DIRECTORY'] = loaded
  const custody = { version: 1, kind: 'systemd', id: '0123456789abcdef' }
  const put = (state: string): void =>
    writeFileSync(join(state, 'custody.json'), JSON.stringify(custody), { mode: 0o600 })
  return {
    put,
    /** The key that the folder has already goes over to the service. */
    adopt(state) {
      const key = Buffer.from(readFileSync(join(state, 'dev.key'), 'utf8').trim(), 'base64url')
      writeFileSync(join(loaded, 'pfar-master'), key)
      put(state)
    },
  }
}
