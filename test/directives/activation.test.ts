/** When a directive file comes into a prompt: modes, what they look at, and headers that are wrong (O-14 – O-18). */
import { describe, expect, it, test } from 'vitest'
import { activationOf } from '../../kernel/directives/change.ts'
import { parseHeader } from '../../kernel/directives/header.ts'
import { isLoaded, mayBeRequested, type Occasion } from '../../kernel/directives/mode.ts'

const NOTHING: Occasion = { tools: [], writes: false, intent: null }

function file(mode: string, more = ''): string {
  return `---\nowns: something\nmode: ${mode}\n${more}---\n- a line\n`
}

function comes(name: string, text: string, occasion: Partial<Occasion>, named = false): boolean {
  const { mode, attach } = activationOf(name, text)
  return isLoaded(mode, attach, { occasion: { ...NOTHING, ...occasion }, named })
}

describe('what makes a file come along', () => {
  it.each<[string, string, string, Partial<Occasion>, boolean, boolean]>([
    ['a core file, always', 'SOUL', file('always'), {}, false, true],
    ['a core file whose header was changed', 'AGENTS', file('manual'), {}, false, true],
    ['SECURITY with a write', 'SECURITY', file('auto_attached'), { writes: true }, false, true],
    [
      'SECURITY with a change of rules',
      'SECURITY',
      file('auto_attached'),
      { tools: ['admin.grant'] },
      false,
      true,
    ],
    ['SECURITY with mails', 'SECURITY', file('auto_attached'), { tools: ['email.read'] }, false, true],
    [
      'SECURITY not with a read of the own calendar',
      'SECURITY',
      file('auto_attached'),
      { tools: ['calendar.list_events'] },
      false,
      false,
    ],
    ['CODE with a tool for code', 'CODE', file('auto_attached'), { tools: ['github.read'] }, false, true],
    ['CODE not with another tool', 'CODE', file('auto_attached'), { tools: ['githubs.read'] }, false, false],
    ['MEMORY with an intent', 'MEMORY', file('auto_attached'), { intent: 'memory_search' }, false, true],
    [
      'MEMORY not with another intent',
      'MEMORY',
      file('auto_attached'),
      { intent: 'email_check' },
      false,
      false,
    ],
    [
      'a tool that the header names',
      'TRIPS',
      file('auto_attached', 'tools: calendar.*\n'),
      { tools: ['calendar.create_event'] },
      false,
      true,
    ],
    [
      'an intent that the header names',
      'TRIPS',
      file('auto_attached', 'intents: calendar_free, web_read\n'),
      { intent: 'web_read' },
      false,
      true,
    ],
    [
      'on request: not by itself',
      'TOOLS',
      file('agent_requested'),
      { tools: ['email.read'], intent: 'help' },
      false,
      false,
    ],
    ['on request: when named', 'TOOLS', file('agent_requested'), {}, true, true],
    [
      'manual: not with its own subject',
      'BOOT',
      file('manual', 'tools: web.*\n'),
      { tools: ['web.read'] },
      false,
      false,
    ],
    ['manual: when named', 'BOOT', file('manual'), {}, true, true],
    [
      'a mode that there is none of: not by itself',
      'SECURITY',
      file('sometimes'),
      { writes: true },
      false,
      false,
    ],
    ['a mode that there is none of: when named', 'SECURITY', file('sometimes'), {}, true, true],
    ['an own file without a mode: not by itself', 'TRIPS', '---\nowns: x\n---\n', {}, false, false],
    ['an own file that is always there', 'TRIPS', file('always'), {}, false, true],
  ])('%s', (_, name, text, occasion, named, expected) =>
    expect(comes(name, text, occasion, named)).toBe(expected),
  )
})

test.each([
  ['always', false, true],
  ['auto_attached', false, true],
  ['agent_requested', false, true],
  ['manual', false, false],
  ['manual', true, true],
] as const)('a planner may ask for a file that is %s (named: %s): %s', (mode, named, may) =>
  expect(mayBeRequested(mode, named)).toBe(may),
)

test.each<[string, string, string, readonly string[]]>([
  ['nothing', 'CODE', file('auto_attached'), []],
  ['a bad mode', 'CODE', file('Always'), ['mode_invalid']],
  ['a core file with another mode', 'SOUL', file('manual'), ['mode_fixed']],
  ['no header', 'CODE', '# Code\n', ['header_missing']],
  ['a line that is no key', 'CODE', file('manual', 'glob: *.ts\n'), ['header_strange']],
  ['nothing to attach to', 'TRIPS', file('auto_attached'), ['attaches_never']],
])('warns of %s', (_, name, text, warnings) => expect(activationOf(name, text).warnings).toEqual(warnings))

describe('a header', () => {
  it.each([
    ['none', '# Title\n'],
    ['not at the beginning', '\n---\nowns: x\n---\n'],
    ['not ended', '---\nowns: x\n# Title\n'],
    ['ended too late', `---\nowns: x\n${'mode: manual\n'.repeat(13)}---\n`],
    ['without owns', '---\nmode: manual\n---\n'],
    ['with an empty owns', '---\nowns:\n---\n'],
    ['with an owns that is an essay', `---\nowns: ${'x'.repeat(121)}\n---\n`],
  ])('that is %s is no header', (_, text) => expect(parseHeader(text).header).toBeNull())

  it('is taken off the body', () => expect(parseHeader(file('manual')).body).toBe('- a line\n'))
})
