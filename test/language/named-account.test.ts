/** Which of several mailboxes a request names, in the owner's words for it, and what is left to the other readers. */
import { describe, expect, it } from 'vitest'
import { createMessageExtractor } from '../../integrations/extractors/message/message.ts'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { planFor } from '../../integrations/models/rules/plan-for.ts'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { PromptParts, ToolCard } from '../../kernel/prompt/parts.ts'
import type { Plan } from '../../kernel/task/plan.ts'

type Shown = PromptParts['metadata'][number]
const EXTRACTOR = createMessageExtractor()

const NAMED: NonNullable<ToolCard['named']> = {
  argument: 'account',
  names: [
    { name: 'work', called: ['ada@acme.com', 'acme.com', 'acme'] },
    { name: 'private', called: ['ada@gmx.example', 'gmx.example', 'gmx'] },
  ],
}

const CARDS: readonly ToolCard[] = TOOL_MANIFESTS.flatMap(({ actions }) =>
  actions.map(({ id, semantics, args }) => ({
    ...{ id, description: id, semantics, gives: '' },
    args: Object.fromEntries(
      Object.entries(args.fields).map(([name, field]) => [field.optional ? `${name}?` : name, field.kind]),
    ),
    ...(EMAIL_MANIFEST.actions.some(
      (action) => action.id === id && Object.hasOwn(args.fields, 'account'),
    ) && {
      named: NAMED,
    }),
  })),
)

function plan(request: string, tools = CARDS): Plan {
  const fields = EXTRACTOR.extract(request, { now: Date.parse('2026-11-22T10:30:00Z'), timezone: 'UTC' })
  return planFor(
    {
      ...{ purpose: 'plan', audience: 'owner', self: { version: '00000000', sections: [] }, document: '' },
      ...{ directives: [], blocks: [], request, history: [], contents: [], troubles: [] },
      ...{ instruction: null, options: [] },
      metadata: [{ root: 'said', action: 'extractor:message:owner', fields: fields as Shown['fields'] }],
      tools,
      output: {
        ...{ sink: 'sink:terminal:owner', maxChars: 3_500, format: 'plain', timezone: 'UTC' },
        now: '2026-11-22T10:30',
      },
    },
    HOME_RULES,
  )
}

/** Each call with the account that it is of. */
const calls = (request: string): readonly string[] =>
  plan(request).steps.map((step) =>
    'args' in step ? `${step.tool}${'account' in step.args ? ` ${step.args['account']}` : ''}` : step.do,
  )

describe('an account that a request names', () => {
  it.each([
    ['any new mail on my work account?', ['email.list work']],
    ['check my work mail', ['email.list work']],
    ['show my work inbox', ['email.list work']],
    ['new work emails?', ['email.list work']],
    ['unread mails in my private inbox', ['email.list private']],
    ['what is new in my personal mailbox', ['email.list private']],
    ['how many unread mails are in my work inbox?', ['email.count work']],
    ['what did I promise in my work mail', ['email.promises work']],
    ['what folders do I have in my work mail', ['email.folders work']],
    ['search my private mail for the ticket', ['email.search private']],
    ['look in my personal email for the flight', ['email.search private']],
    ['mail from Sarah in my acme inbox', ['email.list work']],
    ['what came into the acme.com inbox yesterday', ['email.list work']],
    ['check my gmx mail', ['email.list private']],
    ['any mail from Sarah on the office account?', ['email.list work']],
    ['did Sarah write to my work address?', ['email.list work']],
    ['zeig mir meine Arbeitsmails', ['email.list work']],
    ['neue Mails im Arbeitspostfach?', ['email.list work']],
    ['habe ich neue Mails auf dem Arbeitskonto?', ['email.list work']],
    ['such in meinem privaten Postfach nach der Rechnung', ['email.search private']],
    ['gibt es was neues im geschäftlichen postfach?', ['email.list work']],
    ['lösch den neuesten newsletter im privaten postfach', ['email.list private', 'select', 'email.delete']],
    ['read the latest mail in my work inbox', ['email.list work', 'email.read']],
    ['archive all newsletters in my private inbox', ['email.list private', 'select', 'email.archive']],
    ['anything in my personal inbox?', ['email.list private']],
    ['who has written to me on the business account', ['email.list work']],
    ['check my work mail and my calendar', ['email.list work', 'calendar.list_events']],
  ])('%s', (request, expected) => {
    expect(calls(request)).toEqual(expected)
  })

  it('is no part of what is looked for or picked', () => {
    expect(plan('archive the mails from the raffle in my private inbox').steps[1]).toMatchObject({
      matching: 'raffle',
    })
    expect(plan('search my private mail for the ticket').steps[0]).toMatchObject({
      args: { words: 'the ticket' },
    })
  })
})

describe('the account that a mail is sent from', () => {
  it.each([
    ['email tom@x.example from my work account: running late', ['email.send work']],
    ['send a mail to tom@x.example from my private address saying I am late', ['email.send private']],
    ['schreib tom@x.example von meinem Arbeitskonto: komme später', ['email.send work']],
    ['schick tom@x.example über mein privates Konto eine Mail: hallo', ['email.send private']],
    ['draft a mail to tom@x.example from my acme account: see you', ['email.draft work']],
    ['write to tom@x.example that I am ill, from my private account', ['email.send private']],
    // The mail that is answered may be in any of them.
    ['reply to Tom from my work account: ok', ['email.list', 'select', 'email.reply work']],
  ])('%s', (request, expected) => {
    expect(calls(request)).toEqual(expected)
  })

  it('leaves the address as the owner typed it, by its place in the message', () => {
    const request = 'from my work account email tom@x.example: running late'
    const [step] = plan(request).steps
    const ref = JSON.stringify(step).match(/said\.words\[(\d+)\]\[(\d+)\]/)
    expect(request.slice(Number(ref?.[1]), Number(ref?.[2]))).toBe('tom@x.example')
  })
})

it('the words behind a comma are no part of what is sent', () => {
  const [step] = plan('write to tom@x.example that I am ill, from my private account').steps
  expect(step).toMatchObject({ args: { body: 'I am ill' } })
})

describe('what is no choice of an account', () => {
  it.each([
    // Words of what is written or looked for.
    ['write tom@x.example that my work mail is down', ['email.send']],
    ['find the mail about the work account', ['email.search']],
    ['email tom@x.example: check my work mail', ['email.send']],
    ['write tom@x.example that I sent it from my private account', ['email.send']],
    // Where it goes to.
    ['forward the newest mail to my private address', []],
    ['email my work account: buy milk', []],
    // Two of them.
    ['compare my work mail and my private mail', []],
  ])('%s', (request, expected) => {
    expect(calls(request)).toEqual(expected)
  })

  it('the same words with one mailbox are read as before', () => {
    const alone = CARDS.map(({ named, ...card }) => card)
    const [step] = plan('check my work mail', alone).steps
    expect(step === undefined || !('args' in step) || !('account' in step.args)).toBe(true)
  })

  it('a name that is not understood in its sentence is not looked for in the mails', () => {
    expect(plan('was ist neu in meinem privaten Postfach')).toMatchObject({
      steps: [],
      explanation: 'not_understood',
    })
  })
})
