/**
 * `pfar service`: systemd's own check of the unit, for every custody and for difficult paths; and what is left if
 * systemd refuses. `systemctl` is a script here, because no systemd runs where tests do.
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
import { serviceCommand } from '../../sidecar/cli/commands/service-command.ts'
import { accountFindings } from '../../sidecar/doctor/machine-look.ts'
import {
  checkAccount,
  isService,
  UNIT_NAME,
  type UnitInput,
  unitText,
} from '../../sidecar/service/service.ts'

const HOME: UnitInput = {
  node: process.execPath,
  script: join(import.meta.dirname, '../../sidecar/main.js'),
  folder: '/srv/pfar',
  custody: 'keychain',
  user: null,
  npm: null,
}

/** systemd's own parser of units; without it the suite reports what it skipped. */
const READER = {
  skip: spawnSync('systemd-analyze', ['--version']).status !== 0,
  meta: { needs: 'systemd-analyze' },
}

/** The account that owns no files. */
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
    ['of a checkout', { ...HOME, npm: 'pfar' }, ' npm_lifecycle_event=pfar'],
    ['with a space', { ...HOME, folder: '/srv/my pfar' }, 'Environment="PFAR_HOME=/srv/my pfar"'],
    ['with a percent sign', { ...HOME, folder: '/srv/50%n', user: 5 }, 'ReadWritePaths="/srv/50%%n"'],
    ['with quotes', { ...HOME, folder: '/srv/a"b\\c' }, 'Environment="PFAR_HOME=/srv/a\\"b\\\\c"'],
  ] as const)('%s is accepted by systemd', READER, async (_what, input, line) => {
    const text = unitText(input)
    expect(text.split('\n').some((each) => each.includes(line))).toBe(true)
    expect(await complaints(text)).toBe('')
  })

  test.each([
    ['of an account', null],
    ['of the system', 1_000],
  ])('%s leaves home the namespaces that its sandbox needs', (_what, user) => {
    for (const custody of ['keychain', 'systemd', 'passphrase'] as const)
      expect(unitText({ ...HOME, custody, user })).not.toContain('RestrictNamespaces')
  })

  test('escapes a dollar sign in its command', () => {
    expect(unitText({ ...HOME, script: '/srv/$HOME/main.ts' })).toContain('"/srv/$$HOME/main.ts"')
  })

  test('with an unknown setting is reported by systemd', READER, async () => {
    expect(await complaints(unitText(HOME).replace('UMask', 'UMsk'))).toContain('UMsk')
  })

  test('refuses a path with a line break, which could add a setting', () => {
    expect(() => unitText({ ...HOME, folder: '/srv/a\nExecStartPre=/bin/x' })).toThrow(RangeError)
  })
})

describe('pfar service', () => {
  test('installs, starts, and removes the service without touching home’s files', async () => {
    const { run, unit, calls, state } = bench(0)
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(readFileSync(unit, 'utf8')).toContain(`PFAR_HOME=${state}`)
    expect(calls()).toEqual(['daemon-reload', `enable --now ${UNIT_NAME}`])
    expect(await run('remove')).toMatchObject({ code: 0, out: expect.stringContaining(state) })
    expect([existsSync(unit), existsSync(state)]).toEqual([false, true])
    expect(calls().slice(2)).toEqual([`disable --now ${UNIT_NAME}`, 'daemon-reload'])
    expect(await run('remove')).toMatchObject({ code: 0 })
  })

  test('restarts a running service when installed again', async () => {
    const { run, unit, calls } = bench(0)
    await run('install')
    writeFileSync(unit, `${readFileSync(unit, 'utf8')}RestrictNamespaces=yes\n`)
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(readFileSync(unit, 'utf8')).not.toContain('RestrictNamespaces')
    expect(calls().slice(2)).toEqual([
      ...['daemon-reload', `enable --now ${UNIT_NAME}`, `restart ${UNIT_NAME}`],
    ])
  })

  test('leaves no unit if systemd refuses, and prints its error without control characters', async () => {
    const { run, unit } = bench(1)
    const { code, err } = await run('install')
    expect([code, existsSync(unit)]).toEqual([1, false])
    expect(err).toContain('systemd says: Failed to connect to bus')
    expect(err).not.toContain('\u001b')
  })

  test('refuses to install with a passphrase that nobody could type', async () => {
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

  test('run by root installs a unit for the account that owns the folder', AS_ROOT, async () => {
    const { run, unit } = bench(0)
    expect(await run('install')).toMatchObject({ code: 0 })
    expect(readFileSync(unit, 'utf8')).toContain(`User=${NOBODY}`)
    expect(process.geteuid?.()).toBe(0)
  })

  test('refuses a folder of root’s (E-10)', AS_ROOT, async () => {
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
  ])('allows or refuses home run as %s', (_who, running, may) => expect(checkAccount(running).ok).toBe(may))

  test.each([
    ['systemd ran itself', { pid: 7, env: { SYSTEMD_EXEC_PID: '7' } }, true],
    ['was started in a session of systemd’s', { pid: 7, env: { SYSTEMD_EXEC_PID: '3' } }, false],
    ['was started by hand', { pid: 7, env: {} }, false],
  ])('recognises a service: a home that %s', (_what, running, is) => expect(isService(running)).toBe(is))

  test('and the doctor warn only root', () =>
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
  // A service of root must run as another account (E-10).
  if (process.getuid?.() === 0) chownSync(state, NOBODY, NOBODY)
  chmodSync(folder, 0o755)
  return { run, calls, state, unit: join(units, UNIT_NAME) }
}

/** Output of `systemd-analyze verify`; empty if the unit is valid. */
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
