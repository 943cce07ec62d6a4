/**
 * The container of home, checked in its files only: content and user of the image, permissions in compose, and the
 * entry script. No container engine is used, because tests have none.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { MALLOC_SETTING } from '../../sidecar/service/service.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

interface Service {
  readonly [key: string]: unknown
  readonly environment?: Readonly<Record<string, string>>
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const compose = parse(read('compose.yaml')) as Compose
const { home = {}, ollama = {} } = compose.services

/** Instructions, one line each, with continuation lines joined. */
const instructions = read('Containerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')

describe('compose', () => {
  test.each([
    ['runs as nobody special', 'user', '1000:1000'],
    ['cannot change what it is', 'read_only', true],
    ['has no right of root', 'cap_drop', ['ALL']],
    ['gets none either', 'security_opt', ['no-new-privileges:true']],
    ['keeps its state in a volume', 'volumes', ['state:/state']],
    ['publishes no port', 'ports', undefined],
    ['has no key in its environment', 'environment', undefined],
    ['reads no file of environment', 'env_file', undefined],
    ['shares no namespace of the host', 'network_mode', undefined],
    ['is not privileged', 'privileged', undefined],
  ])('home in compose %s', (_what, key, value) => {
    expect(home[key]).toEqual(value)
  })

  test('the passphrase is a file that git and image builds ignore', () => {
    expect(home['secrets']).toEqual(['pfar-passphrase'])
    expect(compose.secrets['pfar-passphrase']?.file).toBe('./passphrase')
    expect(read('.gitignore').split('\n')).toContain('/passphrase')
  })

  test('Ollama is reachable only inside home’s own network', () => {
    expect(ollama['network_mode']).toBe('service:home')
    expect(ollama['ports']).toBeUndefined()
    expect(ollama.environment).toEqual({ OLLAMA_HOST: '127.0.0.1:11434', OLLAMA_MODELS: '/models' })
  })

  test('every mounted volume is declared', () => {
    const mounted = [home, ollama].flatMap(({ volumes }) => volumes as string[])
    expect(mounted.map((one) => one.split(':')[0])).toEqual(Object.keys(compose.volumes))
  })

  test('the container is healthy when home answers, whatever the state of the edge', () => {
    const check = JSON.stringify(home['healthcheck'])
    expect(check).toMatch(/status --json \| grep -q '.*place.*home/)
    expect(instructions.find((line) => line.startsWith('HEALTHCHECK'))).toContain(`grep -q '"place": "home"'`)
  })
})

describe('the image', () => {
  test('runs as a user who owns no file in it', () => {
    const user = instructions.indexOf('USER node')
    expect(user).toBeGreaterThan(0)
    expect(instructions.findIndex((line) => line.startsWith('ENTRYPOINT'))).toBeGreaterThan(user)
    expect(instructions.filter((line) => /^COPY .*--chown/.test(line))).toEqual([])
  })

  test('contains what home imports, and no setting of the builder', () => {
    const copied = instructions.flatMap(
      (line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
    )
    expect(copied).toEqual(
      expect.arrayContaining(['kernel', 'integrations', 'migrations', 'templates', 'sidecar']),
    )
    for (const name of copied) expect(existsSync(join(ROOT, name))).toBe(true)
    expect(copied.filter((name) => /^(?:\.|test|worker|\*)/.test(name) && name !== '.npmrc')).toEqual([])
    expect(instructions.filter((line) => /^(?:ENV|ARG) /.test(line))).toEqual([
      `ENV PFAR_HOME=/state ${Object.entries(MALLOC_SETTING)
        .map((entry) => entry.join('='))
        .join(' ')}`,
    ])
    expect(instructions.filter((line) => line.startsWith('EXPOSE'))).toEqual([])
  })

  test('a build sends only the files that are copied', () => {
    const [first, ...allowed] = read('.containerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    const copied = instructions.flatMap(
      (line) => /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]?.split(' ') ?? [],
    )
    expect(new Set(allowed.map((line) => line.slice(1)))).toEqual(new Set(copied))
    expect(read('.dockerignore')).toBe(read('.containerignore'))
  })
})

describe('the entry', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pfar-container-'))
    const node = [
      '#!/bin/sh',
      'echo "$*"',
      'fd=$PFAR_PASSPHRASE_FD',
      'echo "fd $fd"',
      'test -z "$fd" || cat <&3',
      '',
    ]
    writeFileSync(join(folder, 'node'), node.join('\n'))
    chmodSync(join(folder, 'node'), 0o755)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const enter = (...args: string[]): string =>
    execFileSync(join(ROOT, 'scripts/container/home.sh'), args, {
      env: { PATH: `${folder}:${process.env['PATH'] ?? ''}`, PFAR_SECRETS: folder },
      encoding: 'utf8',
    })

  test.each([
    ['without a passphrase', null, [], 'sidecar/main.js\nfd \n'],
    ['with an empty one', '', [], 'sidecar/main.js\nfd \n'],
    ['with one', 'four words', [], 'sidecar/main.js\nfd 3\nfour words'],
    ['a command', 'four words', ['init', '--yes'], 'sidecar/cli/main.js init --yes\nfd \n'],
  ])('runs %s', (_what, passphrase, args, said) => {
    if (passphrase !== null) writeFileSync(join(folder, 'pfar-passphrase'), passphrase)
    expect(enter(...args)).toBe(said)
  })

  test('the script is executable', () => {
    expect(statSync(join(ROOT, 'scripts/container/home.sh')).mode & 0o111).toBe(0o111)
  })
})
