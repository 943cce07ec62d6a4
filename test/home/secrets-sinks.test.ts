/** The redactor at its sinks (E-18): no known secret is in a prompt or an audit row, and each find is reported. */

import { beforeEach, expect, test } from 'vitest'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { PUBLIC } from '../../kernel/flow/label.ts'
import { createLabeled } from '../../kernel/flow/labeled.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { type FinalizeInput, finalize } from '../../kernel/prompt/finalize.ts'
import type { PromptRequest } from '../../kernel/prompt/parts.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'
import { auditedSecret } from '../../sidecar/config/webservices.ts'
import { createSecretVault, type SecretVault } from '../../sidecar/secrets/secret-vault.ts'
import { openHomeDatabase } from '../../sidecar/store/home-database.ts'
import { NO_SECRETS } from '../fakes/secrets.ts'
import { NO_SELF, TEST_LIMITS, testBoundary } from '../fakes/self.ts'
import { auditOf } from '../regression/home/rows.ts'
import { CANARY, type SecretsWorld, secretsWorld } from './fixtures/secrets.ts'

let world: SecretsWorld
let vault: SecretVault
beforeEach(async () => {
  world = await secretsWorld()
  const config = parseConfig('')
  const database = openHomeDatabase(world.folder.file('home.sqlite'))
  if (!config.ok || !database.ok) throw new Error('no home')
  vault = createSecretVault({
    ...{ config: config.value, file: world.file, ring: world.keys.ring, store: database.value.store },
    ...{ now: () => world.clock.now, rejected: () => undefined, changed: () => undefined },
    transport: () => ({ send: async () => err('network_failed') }),
  })
  vault.redactor.learn('google', CANARY)
})

const found = () => auditOf(world.folder.path, 'redaction')

test('an audit row contains no known secret', () => {
  const facts = { quoted: `it is ${CANARY}`, n: 1 }
  const nobody = { trace: null, task: null, principal: null, place: 'home', at: 1 } as const
  vault.audited.appendAudit({ ...nobody, kind: 'fault', facts })
  expect(auditOf(world.folder.path, 'fault')).toEqual([{ quoted: 'it is [redacted]', n: 1 }])
  expect(found()).toEqual([{ credential: 'google', sink: 'audit' }])
})

test('an audit row names no host that has a key, but by the id that home gave it', () => {
  const nobody = { trace: null, task: null, principal: null, place: 'home', at: 1 } as const
  const rows = [
    { credential: 'http/api.example.com', ok: true },
    { credential: 'http/plain/192.168.1.20/8123', ok: true },
    { secret: 'http/api.example.com' },
    { credential: 'google' },
  ]
  for (const facts of rows) vault.audited.appendAudit({ ...nobody, kind: 'fault', facts })
  vault.audit({ kind: 'secret_changed', trace: null, task: null, principal: null, facts: rows[0] ?? {} })
  const id = auditedSecret(world.keys.ring.ownKey('capability'), 'http/api.example.com')
  expect(id).toMatch(/^http\/[0-9a-f]{12}$/)
  const found = auditOf(world.folder.path, 'fault')
  expect(found).toMatchObject([{ credential: id }, {}, { secret: id }, { credential: 'google' }])
  expect(auditOf(world.folder.path, 'secret_changed')).toMatchObject([{ credential: id }])
  expect(JSON.stringify(found)).not.toMatch(/example|192\.168\.1\.20/)
  expect(found[1]?.['credential']).not.toBe(id)
})

const own = <T extends Json>(value: T) => createLabeled(value, { label: PUBLIC, taint: CLEAN })
const part = { root: 's1', action: 'email.read' } as const
const PLAIN: PromptRequest = {
  ...{ purpose: 'synthesize', audience: 'owner', self: NO_SELF, document: [], directives: [], blocks: [] },
  ...{ request: own('hi'), history: null, metadata: [], contents: [] },
  ...{ tools: [], troubles: [], question: null },
  output: { sink: 'x', maxChars: 100, format: 'plain', timezone: 'UTC', now: '2026-11-22T10:00' },
}

const made = (change: Partial<PromptRequest>, secrets: Pick<FinalizeInput, 'redact' | 'known'>) =>
  finalize({
    ...{ texts: readPromptTexts(), model: createRulesModel({ place: 'home' }).reader, limits: TEST_LIMITS },
    ...{ boundary: 'k3j9x7', boundaryFor: testBoundary, strict: true, request: { ...PLAIN, ...change } },
    ...secrets,
  })
const wired = () => ({
  redact: (text: string) => vault.redactor.text('prompt', text),
  known: vault.redactor.known,
})

test.each<[string, Partial<PromptRequest>]>([
  ['an earlier turn', { history: own([`remember ${CANARY}`]) }],
  ['metadata', { purpose: 'plan', metadata: [{ ...part, fields: own({ a: CANARY }) }] }],
  ['content', { contents: [{ ...part, content: own({ a: [CANARY] }) }] }],
  ['notes of earlier turns', { blocks: [{ name: 'memory', value: own(`said ${CANARY}`) }] }],
  [
    'what it is told of itself',
    {
      self: {
        version: 'v',
        sections: [{ kind: 'persona', value: own({ kind: 'persona', name: 'Ada', style: CANARY }) }],
      },
    },
  ],
])('a known secret in a prompt, in %s, is redacted', (_, change) => {
  const bare = made(change, { redact: (text) => text, known: NO_SECRETS })
  expect(bare.ok && `${bare.value.system}${bare.value.user}`).toContain(CANARY)
  const prompt = made(change, wired())
  if (!prompt.ok) throw new Error(prompt.reason.code)
  const { system, user, parts } = prompt.value
  expect(`${system}${user}${JSON.stringify(parts)}`).not.toContain(CANARY)
  expect(`${system}${user}`).toContain('[redacted]')
  expect(found()).toContainEqual({ credential: 'google', sink: 'prompt' })
})

const directive = (text: string) => ({ place: 'stable' as const, value: own({ name: 'TOOLS.md', text }) })
test.each<[string, string, Partial<PromptRequest>]>([
  ['the words', 'request', { request: own(`remember ${CANARY}`) }],
  ['the words, apart', 'request', { request: own(`it is ${[...CANARY].join(' ')}`) }],
  ['an instruction', 'instruction', { question: own({ instruction: `write ${CANARY}`, options: [] }) }],
  ['an option', 'instruction', { question: own({ instruction: 'which', options: [CANARY] }) }],
  ['the directive files', 'TOOLS.md', { directives: [directive(`the key is ${CANARY}`)] }],
  ['the document', 'document', { document: [own(`## Manner\n${CANARY}`)] }],
])('a prompt with a known secret, in %s, is refused (D-05)', (_, part, change) => {
  const refusal = made(change, wired())
  expect(refusal).toEqual(err('secret_in_prompt', { model: 'rules', secret: 'google', part }))
})
