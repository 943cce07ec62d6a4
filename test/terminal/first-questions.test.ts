/**
 * The first questions in a terminal: the owner's words in their own file, skipped questions, and no questions without a
 * terminal (O-58).
 */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { VersionView, Written } from '../../kernel/features/directives/port.ts'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { firstQuestions } from '../../sidecar/cli/first-questions.ts'
import { readBrainTemplates } from '../../sidecar/config/home-texts.ts'
import { until } from '../home/fixtures/wait.ts'
import { type Script, scriptedLink } from './scripted-link.ts'

const USER: VersionView = { name: 'USER', version: 1, at: 0, text: readBrainTemplates().USER }

interface Meeting extends Script {
  readonly terminal?: boolean
  readonly text?: string
}

/** Types one answer per question; null ends the input. */
async function meet(answers: readonly (string | null)[], { terminal = true, text, ...script }: Meeting = {}) {
  const link = scriptedLink({
    ...{ due: true, versions: [{ ...USER, ...(text !== undefined && { text }) }] },
    ...script,
  })
  const [input, output, said] = [new PassThrough(), new PassThrough(), [] as string[]]
  let shown = ''
  output.on('data', (chunk) => {
    shown += String(chunk)
  })
  const out = (line: string) => void said.push(line)
  const screen = { out, err: out, progress: () => undefined, dim: (line: string) => line }
  const over = firstQuestions({ link, screen, input, output, terminal })
  const asked = () => shown.split(/What should I call|like to call|How should I|always keep/).length - 1
  for (const [at, answer] of answers.entries()) {
    await until(() => asked() > at, 5_000)
    if (answer === null) input.end()
    else input.write(`${answer}\n`)
  }
  return { request: await over, link, said, shown }
}

const kept = ({ link }: Awaited<ReturnType<typeof meet>>) =>
  link.written.map((edit) => ('text' in edit ? edit.text : '')).join()

test('the owner’s own answers go unchanged into their file, those about the assistant into its persona', async () => {
  const met = await meet(['Igor', 'Atlas', 'dry and short', 'times in 24 h'])
  expect(met.link.written).toMatchObject([{ name: 'USER', replaces: 1, cleanup: false }])
  expect(kept(met)).toContain('# Who\n- Name: Igor\n')
  expect(kept(met)).toContain('# Preferences\n- times in 24 h\n')
  expect(met.link.questioned).toEqual([{ how: 'answered', name: 'Atlas', style: 'dry and short' }])
})

test.each([
  ['an empty line leaves one out', ['', 'Atlas', '', ''], { how: 'answered', name: 'Atlas', style: null }, 0],
  ['four of them are a no', ['', '', '', ''], { how: 'skipped', name: null, style: null }, 0],
  ['skip leaves all out', ['skip'], { how: 'skipped', name: null, style: null }, 0],
  [
    'skip later keeps what was answered',
    ['Igor', 'Atlas', 'SKIP'],
    { how: 'answered', name: 'Atlas', style: null },
    1,
  ],
  ['a name of signs is none', ['Igor', '<b>', '', ''], { how: 'answered', name: null, style: null }, 1],
] as const)('first questions: %s', async (_, answers, done, files) => {
  const met = await meet(answers)
  expect(met.link.questioned).toEqual([done])
  expect(met.link.written).toHaveLength(files)
})

test('an owner who leaves in the middle keeps what was answered, and is not asked again', async () => {
  const met = await meet(['Igor', null])
  expect(kept(met)).toContain('# Who\n- Name: Igor\n')
  expect(met.link.questioned).toEqual([{ how: 'answered', name: null, style: null }])
})

test.each([
  "what's on tomorrow",
  'remind me to call mum at 5',
  '/help',
  'weather?',
  'wait, what is this for?',
  'check mail',
  'deutsch bitte',
  'zeig mir meine Mails',
])(
  '“%s” in the place of a name is done at once, and the questions are left for the next start',
  async (typed) => {
    const met = await meet([typed])
    expect(met.request).toBe(typed)
    expect(met.said.join()).toContain('another time')
    expect([kept(met), met.link.questioned]).toEqual(['', []])
  },
)

test('a request after an answer is done, and the answer is kept', async () => {
  const met = await meet(['Igor', "what's on tomorrow"])
  expect(met.request).toBe("what's on tomorrow")
  expect(kept(met)).toContain('- Name: Igor\n')
  expect(met.link.questioned).toEqual([{ how: 'answered', name: null, style: null }])
})

test.each(['yes', 'ok', 'Nein'])('“%s” answers no question for a name: it is put again', async (typed) => {
  const met = await meet([typed, 'Igor', '', '', ''])
  expect(met.request).toBeNull()
  expect(kept(met)).toContain('- Name: Igor\n')
})

test.each([
  ['Maria de Souza', 'Maria de Souza'],
  ["I'm Nora", 'Nora'],
  ['ich heiße Nora', 'Nora'],
])('“%s” is the name %s', async (typed, name) => {
  const met = await meet([typed, 'your name is Jeeves', '', ''])
  expect(met.request).toBeNull()
  expect(kept(met)).toContain(`# Who\n- Name: ${name}\n`)
  expect(met.link.questioned).toEqual([{ how: 'answered', name: 'Jeeves', style: null }])
})

test('the last answer says what was taken', async () => {
  const met = await meet(['Igor', 'Atlas', 'dry', 'tea at four'])
  expect(met.said.join(' ')).toMatch(/I call you Igor.*I am Atlas.*dry.*tea at four/)
})

test('what the configuration says is not asked', async () => {
  const met = await meet(['Igor', ''], { unnamed: false })
  expect(met.shown).not.toContain('call me')
  expect(met.link.questioned).toEqual([{ how: 'answered', name: null, style: null }])
})

test('a file without its heading gets heading and line, and loses nothing', async () => {
  const met = await meet(['Igor', '', '', ''], {
    text: '---\nowns: me\nmode: always\n---\n- Lives in Bern.\n',
  })
  expect(kept(met)).toContain('- Lives in Bern.\n')
  expect(kept(met)).toMatch(/# Who\n- Name: Igor\n$/)
})

test('an answer that the file refuses is reported and asked again another time', async () => {
  const written: Result<Written> = err('secret_pasted')
  const met = await meet(['Igor', '', '', 'my key is the one below'], { written })
  expect(met.said.join()).toContain('There is a key or a token in that')
  expect(met.link.questioned).toEqual([])
})

test.each([
  ['where nobody sits at a terminal', { terminal: false }],
  ['on the open line', { line: 'open' }],
  ['once they were', { due: false }],
] as const)('the first questions are not asked %s', async (_, script) => {
  const met = await meet([], script)
  expect([met.said, met.shown, met.link.questioned]).toEqual([[], '', []])
})
