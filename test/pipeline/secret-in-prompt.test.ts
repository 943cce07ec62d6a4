/**
 * No secret is in a prompt (D-05): what is recalled or read is cleaned, what is left refuses the call with a
 * line of the audit and a sentence, and no conversation ends with that.
 */
import { describe, expect, it, test } from 'vitest'
import { insideOf } from '../../kernel/flow/labeled.ts'
import { openTextOf } from '../../kernel/powers/sealed.ts'
import { createNeedles } from '../../kernel/wording/guard/needles.ts'
import { replaceSpans } from '../../kernel/wording/guard/spans.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { OWNER } from './approvals-owner.ts'
import { type BrainWorld, brainWorld } from './brain.ts'
import { EMAILS, mailTools } from './mailbox.ts'
import { type ScriptedTool, scriptedModel, type WorldOptions } from './world.ts'

/** No key that any shape tells. */
const VALUE = 'quince-harbour-lantern'
const TOKEN = 'ghp_q7Zr2Lx9Vb4Nw8Kd1Tm6Pj3Hs5Gf0YcAaBb'
const NOTHING = JSON.stringify({ steps: [], explanation: '' })

interface Knowing extends BrainWorld {
  /** From now on the place knows the value. */
  learn(): void
  /** All that any model has read since. */
  read(): string
}

async function knowing(options: WorldOptions = {}): Promise<Knowing> {
  const needles = createNeedles()
  const known = { find: needles.findSplit, names: needles.names, unfinished: needles.unfinished }
  const redact = (text: string): string => replaceSpans(text, needles.findSplit(text), '[redacted]')
  const model = scriptedModel('own', ({ parts }) => (parts.purpose === 'plan' ? NOTHING : 'As you wish.'))
  const world = await brainWorld({ models: [model], tools: mailTools(), redact, known, ...options })
  return {
    ...world,
    learn: () => needles.add('google', VALUE),
    read: () => world.prompts.map(({ system, user }) => system + user).join(),
  }
}

const denials = ({ audited }: BrainWorld) =>
  audited.filter(({ kind, facts }) => kind === 'denial' && facts['code'] === 'secret_in_prompt')

describe('a secret in directive files of the owner', () => {
  it.each(['please juggle the lanterns of Ines', 'what mail do I have?'])('%s', async (words) => {
    const world = await knowing()
    expect(await world.append('AGENTS.md', `- the code is ${VALUE}`)).toMatchObject({ ok: true })
    world.learn()
    const task = await world.say(words)
    expect(world.heard()).toBe(wordsFor('secret_in_prompt'))
    expect(world.read()).not.toContain(VALUE)
    expect(denials(world)[0]).toMatchObject({ task, facts: { secret: 'google', part: 'AGENTS' } })
    expect(JSON.stringify(world.audited)).not.toContain(VALUE)
  })

  it('is not taken in where it is known already', async () => {
    const world = await knowing()
    world.learn()
    const written = await world.append('AGENTS.md', `- the code is ${VALUE}`)
    expect(written).toMatchObject({ ok: false, reason: { code: 'secret_pasted' } })
  })
})

it('a known secret that the owner types is not taken as a message and not stored, and the next message is answered', async () => {
  const world = await knowing()
  world.learn()
  await world.say(`please remember ${VALUE} for me`)
  expect(world.heard()).toBe(wordsFor('secret_pasted'))
  const [turn] = world.disk.store.recentTurns(OWNER, 1)
  const kept = turn === undefined ? null : await openTextOf(world.powers, turn.words)
  expect(kept?.ok === true ? insideOf(kept.value) : '').toBe('please remember [redacted] for me')
  await world.say('please juggle the lanterns of Ines')
  expect(world.heard()).toBe('As you wish.')
  expect(denials(world)).toEqual([])
})

it('what became a secret after it was said does not refuse every later message', async () => {
  const world = await knowing()
  await world.say(`please juggle the ${VALUE} of Ines`)
  expect(world.read()).toContain(VALUE)
  world.learn()
  world.prompts.splice(0)
  await world.say('please juggle them again')
  expect(world.heard()).toBe('As you wish.')
  expect(world.read()).toContain('juggle the [redacted] of Ines')
  expect(world.read()).not.toContain(VALUE)
})

const WIDE = [...TOKEN].map((sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)).join('')
test.each([
  ['a known value', VALUE],
  ['a known value, apart', [...VALUE].join(' ')],
  ['a token', TOKEN],
  ['a token in wide characters', WIDE],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBg'.repeat(9)}`],
])('%s in a mail is cut out, and its reader has an answer all the same', async (_, secret) => {
  const [first] = EMAILS
  const mail = { ...first, subject: 'Your account', snippet: `It is ${secret}` }
  const list: ScriptedTool = () => ({ ok: true, output: { emails: [mail], more: false } })
  const world = await knowing({ tools: { ...mailTools(), 'email.list': list } })
  world.learn()
  await world.say('what mail do I have?')
  expect(world.heard()).toBe('As you wish.')
  expect(world.read()).not.toContain(secret)
  expect(world.read()).not.toContain(TOKEN)
  expect(world.read()).toContain('[redacted]')
  expect(denials(world)).toEqual([])
})
