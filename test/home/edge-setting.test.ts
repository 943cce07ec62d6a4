/** The edge's address in `config.toml`: added if there is none, and never in place of what the owner wrote. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeEdgeSetting } from '../../sidecar/config/config-edit.ts'
import { newSecrets, secretNames } from '../../sidecar/deploy/deploy.ts'

const URL = 'https://pfar.me.workers.dev'
const EDGE = `\n[edge]\nurl = "${URL}"\n`
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pfar-setting-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['an empty file', '', 'written', EDGE],
  ['other settings', '# mine\n[owner]\nname = "A"\n', 'written', `# mine\n[owner]\nname = "A"\n${EDGE}`],
  ['no last newline', '[owner]\nname = "A"', 'written', `[owner]\nname = "A"\n${EDGE}`],
  ['the same address', `[edge]\nurl = "${URL}"\n`, 'there', `[edge]\nurl = "${URL}"\n`],
  [
    'another address',
    '[edge]\nurl = "https://a.example"\n',
    'by_hand',
    '[edge]\nurl = "https://a.example"\n',
  ],
  ['an empty table', '[edge]\n', 'by_hand', '[edge]\n'],
  ['one that is not TOML', '[owner\n', 'by_hand', '[owner\n'],
] as const)('%s', (_what, before, setting, after) => {
  const path = join(folder, 'config.toml')
  writeFileSync(path, before)
  expect(writeEdgeSetting(path, URL)).toBe(setting)
  expect(readFileSync(path, 'utf8')).toBe(after)
})

test('a missing file is created; a missing folder is not', () => {
  expect(writeEdgeSetting(join(folder, 'config.toml'), URL)).toBe('written')
  expect(readFileSync(join(folder, 'config.toml'), 'utf8')).toBe(EDGE)
  expect(writeEdgeSetting(join(folder, 'none', 'config.toml'), URL)).toBe('by_hand')
})

test('only missing keys are created, with 32 bytes, and different each time', () => {
  const { keys, values, code } = newSecrets(['EDGE_SEAL_KEY', 'PAIR_CODE_HASH', 'MODEL_KEY_A'])
  expect(keys).toEqual(['EDGE_TOKEN_KEY', 'EDGE_NAME_KEY', 'EDGE_SIGN_KEY'])
  expect(Object.keys(values)).toEqual([...keys, 'PAIR_CODE_HASH'])
  for (const value of Object.values(values)) expect(Buffer.from(value, 'base64url')).toHaveLength(32)
  const again = newSecrets([])
  expect([again.keys.length, again.code === code]).toEqual([4, false])
})

test.each([
  ['[{"name":"A","type":"secret_text"},{"name":"B"}]', ['A', 'B']],
  ['[]', []],
  ['{"name":"A"}', null],
  ['Worker not found', null],
])('a list of secrets: %s', (text, names) => {
  expect(secretNames(text)).toEqual(names)
})
