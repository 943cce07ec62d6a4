/** Names that people give, their own and the assistant's, in English and German; and what is no name. */
import { describe, expect, it } from 'vitest'
import { namesIn } from '../../kernel/features/persona/names-in.ts'
import { setPersona } from '../../kernel/features/persona/operations/set.ts'
import { showPersona } from '../../kernel/features/persona/operations/show.ts'
import { ownerNameIn, withOwnerName } from '../../kernel/features/persona/owner-name.ts'
import type { PersonaPort } from '../../kernel/features/persona/port.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import type { OperationPorts } from '../../kernel/operations/ports.ts'

describe('a message that gives a name', () => {
  it.each([
    ['my name is Nora', 'Nora', null],
    ['My name is nora.', 'Nora', null],
    ["I'm Nora", 'Nora', null],
    ["hi there, I'm Nora!", 'Nora', null],
    ['call me Nora', 'Nora', null],
    ['please call me Nora from now on', 'Nora', null],
    ['you can call me Maria de Souza', 'Maria de Souza', null],
    ['nenn mich Nora', 'Nora', null],
    ['Nenne mich bitte Jürgen', 'Jürgen', null],
    ['ich heiße Jürgen', 'Jürgen', null],
    ['Mein Name ist Nora Klein.', 'Nora Klein', null],
    ['Hallo, ich bin Nora', 'Nora', null],
    ['ich bin der Jürgen', 'Jürgen', null],
    ['du kannst mich Jürgen nennen', 'Jürgen', null],
    ['your name is Jeeves', null, 'Jeeves'],
    ['your name is jeeves from now on', null, 'Jeeves'],
    ['call yourself Jeeves please', null, 'Jeeves'],
    ["I'll call you Jeeves", null, 'Jeeves'],
    ['can I call you Jeeves?', null, 'Jeeves'],
    ['du heißt ab jetzt Jeeves', null, 'Jeeves'],
    ['Dein Name ist ab jetzt Karl', null, 'Karl'],
    ['Du sollst Karl heißen', null, 'Karl'],
    ['ab jetzt heißt du Karl', null, 'Karl'],
    ['ich nenne dich Karl', null, 'Karl'],
    ["I'm Nora. call yourself Jeeves please", 'Nora', 'Jeeves'],
    ['my name is Nora and your name is Jeeves', 'Nora', 'Jeeves'],
    ['ich heiße Nora und du heißt Jeeves', 'Nora', 'Jeeves'],
  ])('“%s”', (text, owner, assistant) => {
    expect(namesIn(text)).toEqual({ owner, assistant, style: null })
  })

  it.each([
    ["From now on you're Ada, and a bit drier please.", 'Ada', 'a bit drier'],
    ['call yourself Ada and be more formal', 'Ada', 'more formal'],
    ['du heißt Karl, und bitte etwas förmlicher', 'Karl', 'etwas förmlicher'],
    ['be a bit drier', null, 'a bit drier'],
    ['please answer shorter', null, 'shorter'],
    ['could you keep your answers short and friendly please', null, 'short and friendly'],
    ['antworte bitte kürzer', null, 'kürzer'],
    ['Sei ein bisschen lockerer.', null, 'ein bisschen lockerer'],
    ['fass dich kurz', null, 'kurz'],
    ['bitte sieze mich', null, 'sieze mich'],
  ])('“%s” says how to speak', (text, assistant, style) => {
    expect(namesIn(text)).toEqual({ owner: null, assistant, style })
  })

  it.each([
    'be quick',
    'be short with Tom',
    'shorter please',
    'make it shorter',
    'write a short mail to Tom',
    'write Sarah a friendly answer',
    'answer Tom shortly',
    'speak German',
    'sei um 5 da',
    'schreib Tom kurz',
    'keep it short and call me at 5',
    'talk to Tom',
  ])('“%s” says nothing of it', (text) => {
    expect(namesIn(text)).toBeNull()
  })

  it.each([
    'call me tomorrow',
    'call me back',
    'call me a taxi',
    'call me at 5',
    'call me when you are done',
    'call Tom',
    "I'm late",
    "I'm tired",
    "I'm in Berlin",
    "I'm not sure",
    "I'm German",
    'ich bin müde',
    'ich bin Lehrer',
    'ich bin in Berlin',
    'ich bin der Chef',
    'ich heiße das gut',
    'your name is funny',
    "what's my name?",
    'wie heiße ich?',
    'my name is on the list',
    'my name is Nora and remind me to call mum at 5',
    'remember that my name is Nora',
    'reply to Sarah: my name is Nora',
  ])('“%s” gives none', (text) => {
    expect(namesIn(text)).toBeNull()
  })
})

const FILE = '---\nowns: me\n---\n# Who\n\n# Preferences\n- tea\n'

it('the owner’s name is one line of their file, which another name replaces', () => {
  expect(ownerNameIn(FILE)).toBeNull()
  const named = withOwnerName(FILE, 'Nora')
  expect([ownerNameIn(named), named.includes('- tea')]).toEqual(['Nora', true])
  const renamed = withOwnerName(named, 'Igor $1')
  expect([ownerNameIn(renamed), renamed.includes('Nora')]).toEqual(['Igor $1', false])
})

const CALLER = {
  principal: 'principal:owner',
  place: 'home',
  door: 'private',
  sink: 's',
  message: 'm',
} as const
const VIEW = {
  now: 0,
  timezone: 'UTC',
  place: 'home',
  cardBeside: false,
  say: (name: string) => name,
} as const

function home(text = FILE, fixed = false) {
  const kept = { text, name: 'PFAR', style: '', cleanups: [] as boolean[] }
  const persona: PersonaPort = {
    read: () => ({ name: kept.name, fixed }),
    call(name) {
      kept.name = name
      return ok(true)
    },
    speak(style) {
      kept.style = style
      return ok(true)
    },
  }
  const directives = {
    show: async () => ok({ name: 'USER', version: 1, at: 0, text: kept.text }),
    async edit(_: unknown, edit: { readonly text: string; readonly cleanup: boolean }) {
      kept.cleanups.push(edit.cleanup)
      if (!edit.cleanup) kept.text = edit.text
      return ok({
        version: edit.cleanup ? null : 2,
        approval: edit.cleanup ? 'c1' : null,
        warnings: [],
        keptBy: [],
      })
    },
  }
  const ports = { persona, directives } as unknown as OperationPorts
  const run = async (operation: typeof setPersona | typeof showPersona, args: object): Promise<string> => {
    const prepared = operation.prepare(args)
    const done = prepared.ok ? await prepared.value.run(ports, CALLER) : prepared
    return done.ok ? operation.text(done.value, VIEW, args) : done.reason.code
  }
  return { kept, run }
}

it('names are kept, and asked for again', async () => {
  const { kept, run } = home()
  expect(await run(showPersona, {})).toBe('You have not told me your name: say "my name is …". I am PFAR.')
  expect(await run(setPersona, { said: "I'm Nora. call yourself Jeeves please" })).toBe(
    'I call you Nora from now on. I am Jeeves from now on.',
  )
  expect(await run(showPersona, {})).toBe('You are Nora. I am Jeeves.')
  expect(kept.cleanups).toEqual([false])
})

it('a manner is kept, and what it holds for is said', async () => {
  const { kept, run } = home()
  expect(await run(setPersona, { said: 'antworte bitte kürzer' })).toMatch(
    /^I will write like this.*: kürzer\./,
  )
  expect(kept.style).toBe('kürzer')
})

it('another name for the owner asks, because a line of their file goes', async () => {
  const { kept, run } = home(withOwnerName(FILE, 'Nora'))
  expect(await run(setPersona, { said: 'call me Igor' })).toMatch(/once you say yes/)
  expect([kept.cleanups, ownerNameIn(kept.text)]).toEqual([[true], 'Nora'])
})

it('a name that the configuration gives stays', async () => {
  expect(await home(FILE, true).run(setPersona, { said: 'your name is Jeeves' })).toBe('persona_fixed')
})

it.each([
  "what's my name?",
  "hi there, what's your name?",
  'who am I?',
  'wie heiße ich?',
  'wie heißt du eigentlich?',
  'was ist dein Name?',
  'Weißt du, wie ich heiße?',
])('“%s” asks for the names', (text) => {
  expect(operationInMessage(text)?.operation.name).toBe('persona.show')
})
