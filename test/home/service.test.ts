/**
 * `pfar service`: what systemd itself says of the unit, for every custody and for paths that would break a careless one; and
 * what is left where systemd refuses. `systemctl` is a script here, as no systemd runs where tests do.
 */
import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createContext } from '../../sidecar/cli/command.ts'
import { serviceCommand } from '../../sidecar/cli/service-command.ts'
import { accountFindings } from '../../sidecar/doctor/machine-look.ts'
import { checkAccount, isService } from '../../sidecar/service/account.ts'
import { UNIT_NAME, type UnitInput, unitText } from '../../sidecar/service/unit.ts'

const HOME: UnitInput = {
  node: process.execPath,
  script: join(import.meta.dirname, '../../sidecar/main.ts'),
  folder: '/srv/pfar',
  custody: 'keychain',
  user: null,
}

/** systemd's own reader of units; where it is missing the suite says what it skipped. */
const READER = {
  skip: spawnSync('systemd-analyze', ['--version']).status !== 0,
  meta: { needs: 'systemd-analyze' },
}

/** The account that has no files. */
const NOBODY = 65_534
const AS_ROOT = { skip: process.getuid?.() !== 0, meta: { needs: 'root' } }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pfar-service-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the unit', () => {
  test.each([
    ['of an account', HOME, 'WantedBy=default.target'],
    ['of the system', { ...HOME, user: 1_000 }, 'ReadWritePaths="/srv/pfar"'],
    [
      'with a credential',
      { ...HOME, custody: 'systemd', user: 0 },
      'LoadCredentialEncrypted=pfar-master:/srv/pfar/pfar-master.cred',
    ],
    ['of a home that is small', HOME, 'MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=32768'],
    ['with a space', { ...HOME, folder: '/srv/my pfar' }, 'Environment="PFAR_HOME=/srv/my pfar"'],
    ['with a percent sign', { ...HOME, folder: '/srv/50%n', user: 5 }, 'ReadWritePaths="/srv/50%%n"'],
    ['with quotes', { ...HOME, folder: '/srv/a"b\\c' }, 'Environment="PFAR_HOME=/srv/a\\"b\\\\c"'],
  ] as const)('%s is one that systemd takes', READER, async (_what, input, line) => {
    const text = unitText(input)
    expect(text.split('\n').some((each) => each.includes(line))).toBe(true)
    expect(await complaints(text)).toBe('')
  })

  test.each([
    ['of an account', null],
    ['of the system', 1_000],
  ])('%s leaves home the namespaces that its readers’ sandbox is made of', (_what, user) => {
    for (const custody of ['keychain', 'systemd', 'passphrase'] as const)
      expect(unitText({ ...HOME, custody, user })).not.toContain('RestrictNamespaces')
  })

  test('a command with a dollar sign names that file and no variable', () => {
    expect(unitText({ ...HOME, script: '/srv/$HOME/main.ts' })).toContain('"/srv/$$HOME/main.ts"')
  })

  test('a setting that systemd does not know would be seen', READER, async () => {
    expect(await complaints(unitText(HOME).replace('UMask', 'UMsk'))).toContain('UMsk')
  })

  test('a path with a line break is refused: it could bring a setting of its own', () => {
    expect(() => unitText({ ...HOME, folder: '/srv/a\nExecStartPre=/bin/x' })).toThrow(RangeError)
  })
})

describe('pfar service', () => {
  test('installs, starts, and takes away without touching what home holds', async () => {
    const { run, unit, calls, state } = bench(0)
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(readFileSync(unit, 'utf8')).toContain(`PFAR_HOME=${state}`)
    expect(calls()).toEqual(['daemon-reload', `enable --now ${UNIT_NAME}`])
    expect(await run('remove')).toMatchObject({ code: 0, out: expect.stringContaining(state) })
    expect([existsSync(unit), existsSync(state)]).toEqual([false, true])
    expect(calls().slice(2)).toEqual([`disable --now ${UNIT_NAME}`, 'daemon-reload'])
    expect(await run('remove')).toMatchObject({ code: 0 })
  })

  test('installed again, what runs under the former unit is started anew under this one', async () => {
    const { run, unit, calls } = bench(0)
    await run('install')
    writeFileSync(unit, `${readFileSync(unit, 'utf8')}RestrictNamespaces=yes\n`)
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(readFileSync(unit, 'utf8')).not.toContain('RestrictNamespaces')
    expect(calls().slice(2)).toEqual([
      ...['daemon-reload', `enable --now ${UNIT_NAME}`, `restart ${UNIT_NAME}`],
    ])
  })

  test('a systemd that refuses leaves no unit, and its words without what moves a cursor', async () => {
    const { run, unit } = bench(1)
    const { code, err } = await run('install')
    expect([code, existsSync(unit)]).toEqual([1, false])
    expect(err).toContain('systemd says: Failed to connect to bus')
    expect(err).not.toContain('\u001b')
  })

  test('a passphrase that nobody could type: words, and no unit', async () => {
    const { run, unit, state, calls } = bench(0)
    writeFileSync(
      join(state, 'custody.json'),
      JSON.stringify({ version: 1, kind: 'passphrase', id: '0'.repeat(16) }),
      {
        mode: 0o600,
      },
    )
    if (process.getuid?.() === 0) chownSync(join(state, 'custody.json'), NOBODY, NOBODY)
    const { code, err } = await run('install')
    expect([code, existsSync(unit), calls()]).toEqual([1, false, []])
    expect(err).toContain('--custody systemd')
  })

  test('root’s unit runs home as the account whose the folder is', AS_ROOT, async () => {
    const { run, unit } = bench(0)
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(readFileSync(unit, 'utf8')).toContain(`User=${NOBODY}`)
    expect(process.geteuid?.()).toBe(0)
  })

  test('a folder of root’s is no service’s: words, and no unit (E-10)', AS_ROOT, async () => {
    const { run, unit, state, calls } = bench(0)
    chownSync(state, 0, 0)
    const { code, err } = await run('install')
    expect([code, existsSync(unit), calls()]).toEqual([1, false, []])
    expect(err).toContain('a service does not run as root. Give the state folder to an account of its own')
  })

  test.each([
    ['root, by systemd', { uid: 0, pid: 7, env: { SYSTEMD_EXEC_PID: '7' } }, false],
    ['root, by hand', { uid: 0, pid: 7, env: {} }, true],
    ['root, by hand in a session of systemd’s', { uid: 0, pid: 7, env: { SYSTEMD_EXEC_PID: '3' } }, true],
    ['another, by systemd', { uid: 5, pid: 7, env: { SYSTEMD_EXEC_PID: '7' } }, true],
  ])('home run as %s', (_who, running, may) => expect(checkAccount(running).ok).toBe(may))

  test.each([
    ['systemd ran itself', { pid: 7, env: { SYSTEMD_EXEC_PID: '7' } }, true],
    ['was started in a session of systemd’s', { pid: 7, env: { SYSTEMD_EXEC_PID: '3' } }, false],
    ['was started by hand', { pid: 7, env: {} }, false],
  ])('a home that %s knows whether it is a service', (_what, running, is) =>
    expect(isService(running)).toBe(is),
  )

  test('the doctor says so to root alone', () =>
    expect([accountFindings(0).length, accountFindings(5).length]).toEqual([1, 0]))
})

function bench(exit: number) {
  const [bin, units, state] = ['bin', 'units', 'state'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [bin, state]) mkdirSync(each, { mode: 0o700 })
  const log = join(folder, 'calls')
  const script = `#!/bin/sh\n[ "$1" = --user ] && shift\necho "$*" >> ${log}\nprintf 'Failed to connect to bus\\033[2J' >&2\nexit ${exit}\n`
  writeFileSync(join(bin, 'systemctl'), script)
  chmodSync(join(bin, 'systemctl'), 0o755)
  const environment = { PATH: `${bin}:${process.env['PATH']}`, PFAR_HOME: state, PFAR_UNITS: units }
  const run = async (request: 'install' | 'remove') => {
    const said: { readonly out: string[]; readonly err: string[] } = { out: [], err: [] }
    const screen = {
      out: (text: string) => void said.out.push(text),
      err: (text: string) => void said.err.push(text),
      progress: () => undefined,
      dim: (text: string) => text,
    }
    const code = await serviceCommand(createContext(screen, environment), request)
    return { code, out: said.out.join('\n'), err: said.err.join('\n') }
  }
  const calls = (): readonly string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  // Root's service is another account's (E-10).
  if (process.getuid?.() === 0) chownSync(state, NOBODY, NOBODY)
  chmodSync(folder, 0o755)
  return { run, calls, state, unit: join(units, UNIT_NAME) }
}

/** What `systemd-analyze verify` says of it; nothing is good. */
function complaints(text: string): Promise<string> {
  const path = join(folder, UNIT_NAME)
  writeFileSync(path, text)
  return new Promise((resolve) => {
    execFile('systemd-analyze', ['verify', '--man=no', path], (_error, out, err) =>
      resolve(
        `${out}${err}`
          .split('\n')
          .filter((line) => line.includes(UNIT_NAME))
          .join('\n'),
      ),
    )
  })
}
