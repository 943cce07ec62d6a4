/**
 * Custodies of the master key: each returns what it was given, and refuses with a sentence that says what to do; a key
 * that does not fit is reported as such (DESIGN §6, E-03, E-08, E-10).
 */
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { initKey, recoverKey, rotateKey } from '../../sidecar/keys/change-key.ts'
import type { HeldKeys } from '../../sidecar/keys/custody.ts'
import { openHomeKeys } from '../../sidecar/keys/home-keys.ts'
import { keyStatus } from '../../sidecar/keys/key-status.ts'
import { type KeychainPort, keychain } from '../../sidecar/keys/keychain.ts'
import { passphraseFile } from '../../sidecar/keys/passphrase-file.ts'
import { confirmPhrase, masterOf, phraseOf } from '../../sidecar/keys/recovery-phrase.ts'
import {
  CHEAP,
  cheapOpener,
  developmentHome,
  folderAt,
  opens,
  PASSPHRASE,
  RECORD,
  start,
  withKeys,
} from './fixtures/keys.ts'
import { scriptedTerminal } from './fixtures/scripted-terminal.ts'

const KEY = Uint8Array.from({ length: 32 }, (_, at) => at)
const NEXT = KEY.map((byte) => byte + 1)
const said = (result: Result<unknown>): string =>
  result.ok ? 'ok' : `${result.reason.code}: ${result.reason.facts['problem']}`

describe('the passphrase file', () => {
  const file = (folder = folderAt(), passphrase: string | null = PASSPHRASE) =>
    passphraseFile(folder, { ask: async () => passphrase, n: CHEAP })

  test.each([
    ['one key', [KEY] as HeldKeys],
    ['two', [KEY, NEXT] as HeldKeys],
  ])('returns %s, is 0600, and contains no plaintext of them', async (_name, keys) => {
    const folder = folderAt()
    expect(said(await file(folder).write(keys))).toBe('ok')
    expect(await file(folder).read()).toEqual(ok(keys))
    expect((statSync(folder.file('master.key')).mode & 0o777).toString(8)).toBe('600')
    const whole = readFileSync(folder.file('master.key'))
    for (const key of keys)
      for (const form of ['base64url', 'base64', 'hex'] as const)
        expect(whole.includes(Buffer.from(key).toString(form).slice(0, 20))).toBe(false)
    expect(readdirSync(folder.path)).toEqual(['master.key'])
  })

  test('opens with the same words in another Unicode form', async () => {
    const folder = folderAt()
    await file(folder, 'cafe\u0301 in the morning').write([KEY])
    expect(said(await file(folder, 'caf\u00e9 in the morning').read())).toBe('ok')
  })

  test.each([
    [
      'a wrong passphrase',
      'other words altogether',
      /^key_unavailable: the passphrase is wrong .*pfar key recover/,
    ],
    [
      'nobody to type it',
      null,
      /^key_unavailable: .*takes a terminal.*--custody keychain.*--custody systemd/,
    ],
  ])('%s', async (_name, passphrase, sentence) => {
    const folder = folderAt()
    await file(folder).write([KEY])
    const read = said(await file(folder, passphrase).read())
    expect(read).toMatch(sentence)
    expect(read).not.toContain(passphrase ?? PASSPHRASE)
  })

  const HEADER = /"n":\d+/
  /** Its last character, changed in any case. */
  const flipped = (text: string): string => text.slice(0, -1) + (text.endsWith('_') ? 'A' : '_')
  test.each([
    ['empty', () => '', /^record_malformed: it is damaged: restore it .*pfar key recover/],
    ['no JSON', () => 'rubbish', /^record_malformed/],
    ['cut', (text: string) => text.slice(0, 80), /^record_malformed/],
    ['another version', (text: string) => text.replace('"version":1', '"version":2'), /^record_malformed/],
    ['another key in it', (text: string) => text.replace('{', '{"x":1,'), /^record_malformed/],
    [
      'cost that takes all memory',
      (text: string) => text.replace(HEADER, '"n":1073741824'),
      /^record_malformed/,
    ],
    ['cost that makes guessing cheap', (text: string) => text.replace(HEADER, '"n":2'), /^record_malformed/],
    ['another cost', (text: string) => text.replace(HEADER, '"n":65536'), /^key_unavailable/],
    ['another salt', (text: string) => text.replace(/"salt":"./, flipped), /^key_unavailable/],
    ['another box', (text: string) => text.replace(/"box":"./, flipped), /^key_unavailable/],
    [
      'a short box',
      (text: string) => text.replace(/"box":"[^"]+"/, '"box":"AAAAAAAAAAAAAAAAAAAA"'),
      /^key_unavailable/,
    ],
  ])('%s', async (_name, spoil, sentence) => {
    const folder = folderAt()
    await file(folder).write([KEY])
    const text = readFileSync(folder.file('master.key'), 'utf8')
    writeFileSync(folder.file('master.key'), spoil(text))
    expect(said(await file(folder).read())).toMatch(sentence)
  })

  test.each([0o640, 0o604, 0o666])('mode %o is refused', async (mode) => {
    const folder = folderAt()
    await file(folder).write([KEY])
    chmodSync(folder.file('master.key'), mode)
    expect(said(await file(folder).read())).toMatch(/^storage_failed: others may read it.*chmod 600/)
  })

  test('that is missing is reported', async () =>
    expect(said(await file().read())).toMatch(/^record_malformed: it is missing: .*pfar key recover/))
})

describe('the keychain', () => {
  /** A keychain in memory; `elsewhere`: what another process reads from it. */
  function fake(elsewhere: (bytes: Uint8Array) => Uint8Array | null, locked = false): KeychainPort {
    const entries = new Map<string, Uint8Array>()
    return {
      async open(id) {
        return ok({
          async get() {
            if (locked) throw new Error('locked: unix:path=/run/user/1000/bus')
            return entries.get(id) ?? null
          },
          set: async (bytes) => void entries.set(id, bytes),
          remove: async () => void entries.delete(id),
        })
      },
      async digestElsewhere(id) {
        const seen = elsewhere(entries.get(id) ?? new Uint8Array())
        return seen === null ? '' : createHash('sha256').update(seen).digest('hex')
      },
    }
  }
  const honest = fake((bytes) => bytes)

  test('returns what another process reads as well', async () => {
    const entry = keychain('a', honest)
    expect(said(await entry.write([KEY, NEXT]))).toBe('ok')
    expect(await entry.read()).toEqual(ok([KEY, NEXT]))
    expect(said(await keychain('b', honest).read())).toMatch(
      /^key_unavailable: it holds no key of this folder/,
    )
    expect(said(await entry.remove())).toBe('ok')
    expect(said(await entry.read())).toMatch(/^key_unavailable: it holds no key/)
  })

  test.each([
    ['forgets with its process', fake(() => null)],
    ['gives something else', fake((bytes) => bytes.map((byte) => byte ^ 1))],
  ])('that %s is not trusted', async (_name, port) => {
    expect(said(await keychain('a', port).write([KEY]))).toMatch(/^key_unavailable: .*so it is not trusted/)
  })

  test('that is locked says so, without the error text of the bus', async () => {
    const read = said(
      await keychain(
        'a',
        fake(() => null, true),
      ).read(),
    )
    expect(read).toMatch(/^key_unavailable: the keychain cannot be reached or is locked/)
    expect(read).not.toContain('unix:')
  })

  test('with another value under its name is refused', async () => {
    const port = fake((bytes) => bytes)
    const entry = await port.open('a')
    if (entry.ok) await entry.value.set(new Uint8Array(7))
    expect(said(await keychain('a', port).read())).toMatch(/^record_malformed: .*pfar key recover/)
  })
})

describe('the recovery phrase', () => {
  /** BIP39's own test vectors of 256 bits. */
  const legal = 'legal winner thank year wave sausage worth useful'
  const letter = 'letter advice cage absurd amount doctor acoustic avoid'
  test.each([
    ['00', `${'abandon '.repeat(23)}art`],
    ['7f', `${legal} ${legal} legal winner thank year wave sausage worth title`],
    ['80', `${letter} ${letter} letter advice cage absurd amount doctor acoustic bless`],
    ['ff', `${'zoo '.repeat(23)}vote`],
  ])('of %s', (byte, phrase) => {
    const key = new Uint8Array(32).fill(Number.parseInt(byte, 16))
    expect(phraseOf(key).join(' ')).toBe(phrase)
    expect(masterOf(phrase)).toEqual(ok(key))
  })

  const good = phraseOf(KEY)
  const numbered = good.map((word, at) => `${at + 1}. ${word.toUpperCase()}`).join('\n')
  test('is accepted in upper case and numbered', () => expect(masterOf(numbered)).toEqual(ok(KEY)))

  test.each([
    ['a word too few', good.slice(1), 'it has 23 words, not 24'],
    ['nothing', [], 'it has 0 words, not 24'],
    ['an unknown word', good.with(3, 'secretword'), 'word 4 is not in the list'],
    ['two words exchanged', good.with(0, good[1] ?? '').with(1, good[0] ?? ''), 'its checksum does not fit'],
    ['another word', good.with(5, 'zoo'), 'its checksum does not fit'],
  ])('%s', (_name, words, problem) => {
    const sentence = said(masterOf(words.join(' ')))
    expect(sentence).toContain(problem)
    expect(sentence).not.toContain('secretword')
  })

  test('is shown, cleared from the screen, and asked back', async () => {
    const terminal = scriptedTerminal()
    expect(said(await confirmPhrase(KEY, terminal, () => [0, 11, 23]))).toBe('ok')
    expect(terminal.noted).toEqual(good)
    expect(terminal.questions.slice(1)).toEqual(['Word 1: ', 'Word 12: ', 'Word 24: '])
    expect(terminal.screen).toBe('')
  })

  test('is confirmed by three different words', async () => {
    const terminal = scriptedTerminal()
    await confirmPhrase(KEY, terminal)
    expect(new Set(terminal.questions).size).toBe(4)
  })

  test.each([
    ['a wrong word, three times', { word: () => 'wrong' }, 4],
    ['going away at a word', { word: () => null }, 2],
    ['going away before', { ready: null }, 1],
  ])('is not confirmed after %s', async (_name, owner, questions) => {
    const terminal = scriptedTerminal(owner)
    expect(said(await confirmPhrase(KEY, terminal))).toMatch(/^approval_denied: .*nothing was changed/)
    expect(terminal.questions).toHaveLength(questions)
    expect(terminal.screen).not.toContain(good[0])
  })
})

describe('a change of the key', () => {
  test('that is not confirmed changes nothing', async () => {
    const { folder, sealed } = await developmentHome()
    const before = readdirSync(folder.path).sort()
    const terminal = scriptedTerminal({ word: () => 'wrong' })
    const made = await withKeys(folder, (input) => initKey({ ...input, terminal }, 'passphrase'))
    expect(said(made)).toMatch(/^approval_denied/)
    expect(readdirSync(folder.path).sort()).toEqual(before)
    expect(await keyStatus(folder, {})).toMatchObject({
      value: { custody: 'development', masterKey: 1, fits: true },
    })
    const keys = await start(folder)
    expect(await opens(keys, sealed)).toBe('dinner')
    keys.close()
  })

  test('init, rotate, a new passphrase and recover keep every record', async () => {
    const { folder, sealed } = await developmentHome()
    const terminal = scriptedTerminal()
    const readable = async () => {
      const keys = await start(folder)
      const text = await opens(keys, sealed)
      keys.close()
      return text
    }
    expect(said(await withKeys(folder, (input) => initKey({ ...input, terminal }, 'passphrase')))).toBe('ok')
    const first = terminal.noted.join(' ')
    expect(readdirSync(folder.path)).not.toContain('dev.key')
    expect(await readable()).toBe('dinner')

    expect(said(await withKeys(folder, (input) => rotateKey({ ...input, terminal })))).toBe('ok')
    const second = terminal.noted.join(' ')
    expect(second).not.toBe(first)
    expect(await readable()).toBe('dinner')

    rmSync(folder.file('master.key'))
    const stale = await withKeys(folder, (input) => recoverKey(input, first, null))
    expect(said(stale)).toMatch(/^key_wrong: these words are of another master key, or .*rotated away/)
    expect(said(await withKeys(folder, (input) => recoverKey(input, second, null)))).toBe('ok')
    expect(await readable()).toBe('dinner')
    expect(await keyStatus(folder, {})).toMatchObject({
      value: { custody: 'passphrase', masterKey: 3, unattended: false },
    })
  })

  test('refuses to rotate a development key, or to recover into one', async () => {
    const { folder } = await developmentHome()
    const terminal = scriptedTerminal()
    const wanted = /^key_unavailable: this is a development key.*pfar key init/
    expect(said(await withKeys(folder, (input) => rotateKey({ ...input, terminal })))).toMatch(wanted)
    const words = Buffer.from(readFileSync(folder.file('dev.key'), 'utf8').trim(), 'base64url')
    const phrase = phraseOf(new Uint8Array(words)).join(' ')
    expect(said(await withKeys(folder, (input) => recoverKey(input, phrase, null)))).toMatch(wanted)
  })

  test('keeps a damaged wrapped key, which stops no rotation', async () => {
    const { folder, sealed } = await developmentHome()
    await withKeys(folder, async (_input, { wrappedKeys }) => {
      const wrapped = new Uint8Array(72)
      wrappedKeys.add({ store: 'memory', principal: 'principal:cron:a', generation: 1, wrapped })
    })
    const terminal = scriptedTerminal()
    const changed = await withKeys(folder, (input) => initKey({ ...input, terminal }, 'passphrase'))
    expect(changed).toMatchObject({ ok: true, value: { damaged: 1 } })
    const keys = await start(folder)
    expect(await opens(keys, sealed)).toBe('dinner')
    keys.close()
  })
})

describe('home refuses, and says what to do,', () => {
  const open = (folder: ReturnType<typeof folderAt>, holdsRecords = true) =>
    openHomeKeys({ folder, env: {}, ask: async () => null, holdsRecords }).then(said)

  test('a key that does not fit', async () => {
    const { folder } = await developmentHome()
    writeFileSync(folder.file('dev.key'), Buffer.from(KEY).toString('base64url'))
    expect(await open(folder)).toMatch(
      /^key_wrong: the master key of the development custody does not fit it: .*24 words/,
    )
    expect(await keyStatus(folder, {})).toMatchObject({ value: { fits: false } })
  })

  test('a missing development key, and creates no other', async () => {
    const { folder } = await developmentHome()
    rmSync(folder.file('dev.key'))
    expect(await open(folder)).toMatch(
      /^key_unavailable: it is missing\. .*put the dev\.key of the machine that it comes from into .*pfar key recover/,
    )
    expect(readdirSync(folder.path)).not.toContain('dev.key')
  })

  test('a key with a phrase that is not on this machine yet, and does not ask for dev.key', async () => {
    const { folder } = await developmentHome()
    const terminal = scriptedTerminal()
    await withKeys(folder, (input) => initKey({ ...input, terminal }, 'passphrase'))
    // As after a restore: no backup contains a custody.
    rmSync(folder.file('custody.json'))
    expect(await open(folder)).toMatch(
      /^key_unavailable: it is not on this machine yet: `pfar key recover --custody passphrase`.*24 words/,
    )
  })

  test('a missing key store while there are records', async () => {
    const { folder } = await developmentHome()
    for (const name of readdirSync(folder.path)) if (name.startsWith('keys.')) rmSync(folder.file(name))
    expect(await open(folder)).toMatch(
      /^storage_failed: it is missing, and home.sqlite holds records.*restore keys.sqlite/,
    )
    expect(await open(folder, false)).toBe('ok')
  })

  test('a damaged key store', async () => {
    const { folder } = await developmentHome()
    rmSync(folder.file('keys.sqlite-wal'), { force: true })
    writeFileSync(
      folder.file('keys.sqlite'),
      'not a database, but long enough to be taken for one by its size',
    )
    expect(await open(folder)).toMatch(/^storage_failed: it is damaged.*restore it from a backup/)
  })

  test.each(['', '{', '{"version":1,"kind":"cloud","id":"0000000000000000"}'])(
    'custody.json %j',
    async (text) => {
      const { folder } = await developmentHome()
      writeFileSync(folder.file('custody.json'), text, { mode: 0o600 })
      expect(await open(folder)).toMatch(/^record_malformed: it is damaged; .*pfar key recover --custody/)
    },
  )

  test('a systemd credential outside its unit', async () => {
    const { folder } = await developmentHome()
    writeFileSync(folder.file('custody.json'), '{"version":1,"kind":"systemd","id":"0000000000000000"}', {
      mode: 0o600,
    })
    expect(await open(folder)).toMatch(
      /^key_unavailable: no credential was loaded.*LoadCredentialEncrypted=pfar-master/,
    )
  })
})

test('a systemd credential is read from where the unit put it', async () => {
  const { folder, sealed } = await developmentHome()
  const loaded = folderAt()
  const key = Buffer.from(readFileSync(folder.file('dev.key'), 'utf8').trim(), 'base64url')
  writeFileSync(loaded.file('pfar-master'), key, { mode: 0o400 })
  writeFileSync(folder.file('custody.json'), '{"version":1,"kind":"systemd","id":"0000000000000000"}', {
    mode: 0o600,
  })
  const env = { CREDENTIALS_DIRECTORY: loaded.path }
  const keys = await openHomeKeys({ folder, env, ask: async () => null, holdsRecords: true })
  if (!keys.ok) throw new Error(said(keys))
  expect(await opens(keys.value, sealed)).toBe('dinner')
  keys.value.close()
})

test('the wrapped key of a forgotten principal is in no file any more', async () => {
  const { folder, sealed } = await developmentHome()
  const keys = await start(folder)
  const his = { ...RECORD, principal: 'principal:telegram:peer:7' }
  const record = await keys.ring.sealer.seal(his, new Uint8Array(3))
  const wrapped = await withKeys(folder, async (_input, { wrappedKeys }) =>
    Buffer.from(wrappedKeys.generations('memory', his.principal)[0]?.wrapped ?? []),
  )
  const holding = () =>
    readdirSync(folder.path).filter((name) => readFileSync(folder.file(name)).includes(wrapped))
  expect(wrapped.length).toBe(72)
  expect(holding()).not.toEqual([])
  expect(keys.ring.forget(his.principal)).toBe(1)
  expect(holding()).toEqual([])
  expect(await keys.ring.sealer.open(his, record)).toMatchObject({ reason: { code: 'principal_forgotten' } })
  expect(await opens(keys, sealed)).toBe('dinner')
  keys.close()
})

test('versions are remembered across a restart, and an older row is refused', async () => {
  const { folder, sealed } = await developmentHome()
  const first = await start(folder)
  const second = await first.ring.sealer.seal({ ...RECORD, version: 2 }, new TextEncoder().encode('later'))
  first.ring.advance(RECORD, 2)
  first.ring.bury({ store: 'memory', record: 'r2' })
  first.close()
  const keys = await start(folder)
  expect(await opens(keys, sealed)).toBe('record_stale')
  expect((await keys.ring.sealer.open({ ...RECORD, version: 2 }, second)).ok).toBe(true)
  expect(keys.ring.versionOf({ store: 'memory', record: 'r2' })).toBeNull()
  keys.close()
})

test('a copy of the folder without its custody opens nothing', async () => {
  const { folder } = await developmentHome()
  const copy = folderAt()
  const terminal = scriptedTerminal()
  await withKeys(folder, (input) => initKey({ ...input, terminal }, 'passphrase'))
  for (const name of readdirSync(folder.path)) copyFileSync(folder.file(name), copy.file(name))
  const other = await withKeys(
    copy,
    (input) => rotateKey({ ...input, terminal }),
    cheapOpener(copy, { passphrase: 'another one' }),
  )
  expect(said(other)).toMatch(/^key_unavailable: the passphrase is wrong/)
})
