/**
 * The conversation with piped input: what is sent, what is printed, and that it ends when everything is
 * answered.
 */
import { PassThrough, Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { foldCard, pagesOf } from '../../kernel/features/approvals/card/card-face.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { DEFAULT_LANGUAGE } from '../../kernel/wording/languages.ts'
import { chat } from '../../sidecar/cli/chat/chat.ts'
import type { LineDelivery } from '../../sidecar/cli/line/link.ts'
import { approvalWith, reportWith, type Script, type ScriptedLink, scriptedLink } from './scripted-link.ts'

const row = (seq: number, text: string, kind: LineDelivery['kind'] = 'answer'): LineDelivery => ({
  seq,
  task: 't1',
  kind,
  approval: kind === 'card' ? 'ap1' : null,
  text,
})

interface Talk {
  readonly speak?: () => Promise<void>

  readonly lines: readonly string[]
  /** Typed after this many texts were printed. */
  readonly later?: { readonly after: number; readonly line: string }
  readonly script?: Script
  /** Rows that appear after a message was sent. */
  readonly rows?: readonly LineDelivery[]
  readonly change?: (link: ScriptedLink) => Partial<ScriptedLink>
}

async function talk({ lines, later, script = {}, rows = [], change, speak = async () => undefined }: Talk) {
  const printed: string[] = []
  const base = scriptedLink(script)
  const feed: Partial<ScriptedLink> = {
    deliveries: async (after) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      const out = base.sent.length + base.decided.length > 0 ? rows : []
      return ok(out.filter(({ seq }) => seq > after))
    },
  }
  const link: ScriptedLink = { ...base, ...feed, ...change?.(base) }
  await chat({
    attachment: { link, recover: async () => ok(true) },
    screen: {
      out: (text) => printed.push(text),
      err: (text) => printed.push(text),
      progress: () => undefined,
      dim: (text) => text,
    },
    input: Readable.from(typed(lines, later, () => printed.length - 1)),
    output: new PassThrough(),
    terminal: false,
    speak,
  })
  return { printed: printed.slice(1), all: printed, link }
}

async function* typed(
  lines: readonly string[],
  later: Talk['later'],
  printed: () => number,
): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`
  if (later === undefined) return
  while (printed() < later.after) await new Promise((resolve) => setTimeout(resolve, 5))
  yield `${later.line}\n`
}

test('a message is sent, and its answer is printed with its trail', async () => {
  const { printed, link } = await talk({ lines: ['check my email'], rows: [row(1, 'Two mails.')] })
  expect(link.sent.map(({ text }) => text)).toEqual(['check my email'])
  expect(printed).toEqual(['Two mails.\nhome · sensitive'])
})

test('control characters of an answer do not reach the terminal', async () => {
  const { printed } = await talk({ lines: ['hi'], rows: [row(1, 'a\u001b[2Jb\u202ec')] })
  expect(printed[0]).toBe('abc\nhome · sensitive')
})

test('answers are printed in the order of their rows, notices without a trail', async () => {
  const rows = [row(1, 'Home sleeps.', 'notice'), row(2, 'Here it is.')]
  const { printed } = await talk({ lines: ['hi'], rows })
  expect(printed).toEqual(['Home sleeps.', 'Here it is.\nhome · sensitive'])
})

test.each(['delivering', 'failed', 'cancelled'])(
  'a notice that is the last message of a task ends the wait: %s',
  async (state) => {
    const { printed } = await talk({
      lines: ['hi'],
      rows: [row(1, 'That held a key.', 'notice')],
      script: { reports: [ok(reportWith({ state }))] },
    })
    expect(printed).toEqual(['That held a key.'])
  },
)

const CARD = { ...row(1, 'Book lunch?', 'card'), approval: 'ap9' }
/** The card is delivered when the chat starts to listen, and `rows` after a decision. */
const showing =
  (...rows: readonly LineDelivery[]) =>
  (base: ScriptedLink): Partial<ScriptedLink> => {
    let looks = 0
    return {
      deliveries: async (after) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        // The first call returns what was delivered before the chat began.
        const known =
          looks++ === 0 ? [] : base.decided.length + base.sent.length > 0 ? [CARD, ...rows] : [CARD]
        return ok(known.filter(({ seq }) => seq > after))
      },
    }
  }
const LONG = ['May I do this?', '  text: 0', ...Array.from({ length: 90 }, (_, n) => `    | ${n + 1}`)].join(
  '\n',
)
const LONG_VIEW = approvalWith({ id: 'ap9', full: LONG, card: foldCard(LONG, 'ap9', 1) })

test('a folded card is paged through with the button labels of other chats, and a yes then answers it', async () => {
  const { printed, link } = await talk({
    lines: ['/approvals', 'Show all', 'next page', 'Next page', 'Next page', 'yes'],
    script: { approvals: [LONG_VIEW] },
    rows: [row(1, 'Booked.')],
  })
  const pages = pagesOf(LONG)
  const shown = printed.filter((text) => /^Page \d of/.test(text))
  expect(pages.length).toBe(3)
  expect(shown.map((text) => text.split('\n').slice(1, -1).join('\n'))).toEqual(pages)
  expect(shown.map((text) => /Say "(.*)"/.exec(text)?.[1])).toEqual([
    'Next page',
    'Next page',
    'From the beginning',
  ])
  const short = printed.filter((text) => text.includes('more lines') && text.includes('Say "Show all"'))
  expect(short).toHaveLength(1)
  expect(link.sent).toEqual([])
  expect(link.decided).toEqual([['ap9', 'approve']])
})

test.each([
  ['to a rule says what holds from now on', 'It holds from now on.'],
  ['to anything else that no task goes on with says that it is done', ''],
])('a plain yes %s', async (_what, holds) => {
  const { printed } = await talk({
    lines: [],
    later: YES,
    script: { approvals: [approvalWith({ id: 'ap9' })], decision: ok({ task: '' }), holds },
    change: showing(row(2, 'Booked.')),
  })
  expect(printed).toContain(holds || 'Done.')
})

test('a folded card says below it how to read the rest', async () => {
  const { printed } = await talk({
    lines: [],
    later: YES,
    script: { approvals: [LONG_VIEW] },
    change: showing(row(2, 'Booked.')),
  })
  expect(printed.join('\n')).toContain('Say "Show all" for the whole of it.')
})

test('/approvals with a number and a page shows that page, or how the card ended', async () => {
  const words = 'Cancelled at 12:00: I did not do it.'
  const { printed, link } = await talk({
    lines: ['/approvals 1 2', '/approvals 1 99', '/approvals 3', '/approve 3', '/deny 3'],
    script: {
      approvals: [LONG_VIEW],
      standing: ok({ isOver: true, words, said: 'deny' }),
    },
  })
  expect(printed[0]).toContain(`Page 2 of 3\n${pagesOf(LONG)[1]}`)
  expect(printed[1]).toContain('Page 3 of 3')
  expect(printed.slice(2)).toEqual([words, words, words])
  expect([link.decided, link.sent]).toEqual([[], []])
})

const YES = { after: 1, line: 'yes' }

test('a plain yes decides the pending card that this chat has shown', async () => {
  const { link, printed } = await talk({
    lines: [],
    later: YES,
    script: { approvals: [approvalWith({ id: 'ap9' }), approvalWith({ id: 'elsewhere', number: 3 })] },
    change: showing(row(2, 'Booked.')),
  })
  expect(link.decided).toEqual([['ap9', 'approve']])
  expect(link.sent).toEqual([])
  expect(printed.at(-1)).toBe('Booked.\nhome · sensitive')
})

test.each(['yes', 'no', '/approve'])(
  '%j in a chat that has shown no card decides nothing and shows what is pending',
  async (line) => {
    const { link, printed } = await talk({
      lines: [line],
      script: { approvals: [approvalWith({ id: 'ap9' })] },
    })
    expect([link.decided, link.edited, link.sent]).toEqual([[], [], []])
    expect(printed.join('\n')).toContain('This waits now:\n1. Lunch · ')
  },
)

test.each(['edit: Tea', 'edit 9: Tea', '/edit ap9 Tea'])(
  '%j is for the place to put on a card, whatever was shown in between, and decides nothing',
  async (line) => {
    const { link, printed } = await talk({
      lines: ['hi', line],
      script: { approvals: [approvalWith({ id: 'ap9' })], reports: [ok(reportWith({ id: 'of-the-card' }))] },
      rows: [row(1, 'Hello.')],
    })
    expect(link.sent.map(({ text }) => text)).toEqual(['hi', line])
    expect(link.decided).toEqual([])
    expect(printed.join('\n')).not.toContain('This waits now')
  },
)

test('a message whose answer is the new card of another task is waited for no longer', async () => {
  const began = Date.now()
  const { printed } = await talk({
    lines: ['not marta'],
    script: { reports: [ok(reportWith({ id: 'of-the-card' }))] },
    rows: [{ ...row(1, 'Add 4 people?', 'card'), task: 'of-the-card' }],
  })
  expect(printed.join('\n')).toContain('Add 4 people?')
  expect(Date.now() - began).toBeLessThan(5_000)
})

/** Delivers a card and what comes behind it at once, and an answer to what is said then. */
const behind =
  (...between: readonly LineDelivery[]) =>
  (base: ScriptedLink): Partial<ScriptedLink> => {
    let looks = 0
    return {
      deliveries: async (after) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        const isAnswered = base.decided.length + base.sent.length > 0
        const known = looks++ === 0 ? [] : [{ ...CARD, seq: 1 }, ...between]
        return ok([...known, ...(isAnswered ? [row(9, 'So be it.')] : [])].filter(({ seq }) => seq > after))
      },
    }
  }
const BETWEEN = row(2, 'The kettle is done.', 'notice')
const WAITS = { approvals: [approvalWith({ id: 'ap9' })] }

test.each([
  ['ok', [], [['ap9', 'approve']]],
  ['cancel that', [], [['ap9', 'deny']]],
  ['sure', [BETWEEN], []],
  ['no', [BETWEEN, row(3, 'It is noon.')], [['ap9', 'deny']]],
] as const)('%j behind a card and %j decides %j', async (line, between, decided) => {
  const { link } = await talk({
    ...{ lines: [], later: { line, after: between.length + 1 }, script: WAITS },
    change: behind(...between),
  })
  expect([link.decided, link.sent]).toEqual([decided, []])
})

test.each(['ok', 'never mind', 'lovely'])('%j behind a notice is a message', async (line) => {
  const { link } = await talk({
    ...{ lines: [], later: { line, after: 2 }, script: WAITS, change: behind(BETWEEN) },
  })
  expect([link.decided, link.sent.map(({ text }) => text)]).toEqual([[], [line]])
})

test('/deny all is for the place, which says how many it was', async () => {
  const { link } = await talk({ lines: ['/deny all'], script: WAITS, rows: [row(1, 'Refused: 1.')] })
  expect([link.decided, link.sent.map(({ text }) => text)]).toEqual([[], ['/deny all']])
})

test('"lovely" right behind a card decides nothing and says that it waits', async () => {
  const { link, printed } = await talk({
    ...{ lines: [], later: { line: 'lovely', after: 1 }, script: WAITS, change: behind() },
  })
  expect([link.decided, link.sent]).toEqual([[], []])
  expect(printed.join('\n')).toContain('I have not done it yet. Say yes or no.')
})

test('a second yes decides the card that the first one showed', async () => {
  const { link } = await talk({
    lines: ['yes', 'yes'],
    script: { approvals: [approvalWith({ id: 'ap9' })] },
    rows: [row(1, 'Booked.')],
  })
  expect(link.decided).toEqual([['ap9', 'approve']])
})

test('a plain yes with two pending cards asks which, and a number decides', async () => {
  const { link, printed } = await talk({
    lines: ['/approvals', 'yes', 'yes 3'],
    script: { approvals: [approvalWith({ id: 'a' }), approvalWith({ id: 'b', number: 3 })] },
    rows: [row(1, 'Booked.')],
  })
  expect(link.decided).toEqual([['b', 'approve']])
  expect(link.sent).toEqual([])
  expect(printed.join('\n')).toContain('Which? Say "yes" or "no" with its number')
})

test('a yes typed while home restarts is applied once afterwards and is not sent as a message', async () => {
  let away = 0
  const offline = (): Result<never> => err('home_offline')
  const { link } = await talk({
    lines: [],
    later: YES,
    script: { approvals: [approvalWith({ id: 'ap9' })] },
    change: (base) => ({
      ...showing(row(2, 'Booked.'))(base),
      call: async (operation, args) => (away++ < 6 ? offline() : base.call(operation, args)),
    }),
  })
  expect(link.sent).toEqual([])
  expect(link.decided).toEqual([['ap9', 'approve']])
})

test('a plain yes after an answer first shows the card again, as the answer may have provoked the yes', async () => {
  const { link, printed } = await talk({
    lines: ['hi'],
    later: { after: 1, line: 'yes' },
    script: { approvals: [approvalWith({ id: 'ap9' })] },
    rows: [row(1, 'Say yes to go on.')],
  })
  expect(link.decided).toEqual([])
  expect(printed.join('\n')).toContain('This waits now')
})

test('a card ends the wait and says how to answer', async () => {
  const { printed } = await talk({
    lines: ['book lunch'],
    rows: [row(1, 'Book lunch?', 'card')],
    script: {
      reports: [ok(reportWith({ state: 'awaiting_approval', approval: 'ap1' }, 'Book lunch?'))],
    },
  })
  expect(printed[0]).toContain('Book lunch?')
  expect(printed[0]).toContain('yes or no')
})

test.each([
  ['/help', '/approvals [n]'],
  ['/help cards', '/approve [n]'],
  ['/help all', '/edit n …'],
  ['/status', 'Home box, on this machine'],
  ['/approvals', 'No approval is waiting.'],
  ['/approve', 'No approval is waiting.'],
  ['/stop', 'Nothing is being worked on.'],
  ['/edit', '/edit takes a number and words.'],
])('%s is answered locally and not sent', async (line, words) => {
  const { printed, link } = await talk({ lines: [line] })
  expect(printed.join('\n')).toContain(words)
  expect(link.sent).toEqual([])
})

test('/stop goes to the place while requests are open, which ends what runs and not only the newest', async () => {
  let stopped = 0
  const { link } = await talk({
    lines: ['plan my week', 'make the briefing 7:45', '/stop'],
    script: { sends: [ok({ task: 'a' }), ok({ task: 'b' }), ok({ task: 't1' })] },
    rows: ['a', 'b', 't1'].map((task, at) => ({ ...row(at + 1, 'Stopped.'), task })),
    change: () => ({
      stop: async (task) => {
        stopped += 1
        return ok({ task })
      },
    }),
  })
  expect(link.sent.map(({ text }) => text)).toEqual(['plan my week', 'make the briefing 7:45', '/stop'])
  expect(stopped).toBe(0)
})

const OWN_LINE = { approval: 'ap9', taint: 'clean', model: 'kernel' }
test.each([
  ['in the program’s own words', OWN_LINE, [['ap9', 'approve']]],
  ['of a model', { ...OWN_LINE, model: 'tiny' }, []],
  ['of what others wrote', { ...OWN_LINE, taint: 'untrusted' }, []],
  ['that is about another card', { ...OWN_LINE, approval: 'other' }, []],
])(
  'a plain yes after a card and a further line of its answer, %s, counts only for that card',
  async (_, task, decided) => {
    const { link } = await talk({
      lines: ['my name is Ada'],
      later: { after: 2, line: 'yes' },
      script: { approvals: [approvalWith({ id: 'ap9' })], reports: [ok(reportWith(task))] },
      change: (base) => ({
        deliveries: async (after) => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          const asked = base.sent.length > 0 ? [CARD, row(2, 'Shall I call you Ada?')] : []
          const done = base.decided.length > 0 ? [row(3, 'Done.')] : []
          return ok([...asked, ...done].filter(({ seq }) => seq > after))
        },
      }),
    })
    expect(link.decided).toEqual(decided)
  },
)

test('/stop is sent to the place where an approval is pending, which cancels the task', async () => {
  const script = { approvals: [approvalWith({ id: 'ap9' })] }
  const { link } = await talk({ lines: ['/stop'], script, rows: [row(1, 'Stopped.')] })
  expect(link.sent.map(({ text }) => text)).toEqual(['/stop'])
})

test('a locked edge is reported once and does not count as a lost connection', async () => {
  let looks = 0
  const { printed } = await talk({
    lines: ['hi'],
    change: (base) => ({
      deliveries: async (after) => {
        await new Promise((resolve) => setTimeout(resolve, 10))
        looks += 1
        if (looks === 2) return err('edge_locked')
        return ok(base.sent.length > 0 ? [row(1, 'Open again.')].filter(({ seq }) => seq > after) : [])
      },
    }),
  })
  expect(printed.filter((line) => line.includes('pfar unlock'))).toHaveLength(1)
  expect(printed.filter((line) => /is lost|Connected again/.test(line))).toEqual([])
  expect(printed.at(-1)).toContain('Open again.')
})

test('a lost place is reported once, and the message is sent when it is back', async () => {
  let failures = 4
  const offline = (): Result<never> => err('home_offline')
  const { printed, link } = await talk({
    lines: ['hi'],
    rows: [row(1, 'Back.')],
    change: (base) => ({
      send: async (message) => (failures-- > 2 ? offline() : base.send(message)),
      deliveries: async (after) => {
        await new Promise((resolve) => setTimeout(resolve, 10))
        if (failures > 0 && failures-- > 0) return offline()
        return ok(base.sent.length > 0 ? [row(1, 'Back.')].filter(({ seq }) => seq > after) : [])
      },
    }),
  })
  expect(link.sent).toHaveLength(1)
  expect(printed.filter((line) => line.includes('is lost'))).toHaveLength(1)
  expect(printed).toContain('Connected again.')
  expect(printed.at(-1)).toContain('Back.')
})

test.each([
  ['of just now is shown to who begins to talk', `restart:${Date.now()}`, ['I was restarted.']],
  ['of an hour ago is not', `restart:${Date.now() - 3_600_000}`, []],
  ['is the only thing that is told again', 'tool-degraded:email', []],
] as const)('a notice about a start %s', async (_, id, shown) => {
  const told = { ...row(1, 'I was restarted.', 'notice'), task: null, id }
  const { printed } = await talk({
    lines: [],
    change: () => ({
      deliveries: async (after) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return ok(after < 1 ? [told] : [])
      },
    }),
  })
  // The line of help is printed after it.
  expect(printed).toEqual(shown.length === 0 ? [] : [expect.stringContaining('Ask something')])
})

describe('in German', () => {
  const COMMON =
    /(?<![\p{L}`/])(?:the|is|are|was|you|your|with|this|that|what|which|waits?|waiting|done|answer|ask|say|no|yes|left|more|than|one|nothing|says?|did|not|approvals? are|lists|of|and|to)(?!\p{L})/iu
  const first = approvalWith({ id: 'ap9', number: 1 })
  const second = approvalWith({ id: 'ap8', number: 2 })
  const german = () => speak('de')
  afterEach(() => speak(DEFAULT_LANGUAGE))

  test.each<[string, Parameters<typeof talk>[0]]>([
    ['a yes', { lines: ['ja bitte'], script: { approvals: [first], decision: ok({ task: '' }) } }],
    ['a no', { lines: ['nein 1'], script: { approvals: [first], decision: ok({ task: '' }) } }],
    ['a yes that may be for several', { lines: ['ja'], script: { approvals: [first, second] } }],
    ['status', { lines: ['/status'] }],
    ['approvals', { lines: ['/approvals'], script: { approvals: [first] } }],
    ['no approvals', { lines: ['/approvals'] }],
    ['stop', { lines: ['/stop'] }],
    ['an unknown command', { lines: ['/edit'] }],
    ['a failure', { lines: ['was steht an?'], script: { sends: [err('home_timeout')] } }],
  ])('no line of the terminal holds common English words: %s', async (_, of) => {
    const { printed, all } = await talk({ ...of, speak: german })
    const lines = all
      .join('\n')
      .split('\n')
      .filter((line) => !line.startsWith('  '))
    expect(printed.length).toBeGreaterThan(0)
    expect(lines.filter((line) => COMMON.test(line))).toEqual([])
  })

  test('it is spoken from the message on after which home speaks it', async () => {
    let isGerman = false
    const { printed } = await talk({
      lines: ['sprich Deutsch', '/approvals'],
      rows: [row(1, 'Gut.')],
      speak: async () => {
        if (isGerman) await german()
        isGerman = true
      },
    })
    expect(printed).toContain('Keine Freigabe wartet.')
  })
})
