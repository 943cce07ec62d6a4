/**
 * Setting a job that a model plans and words (issue 2.6): only where code does not plan it whole, by reads alone, with its model, what it looks for, its tokens and
 * its times on the card, and with a company's model only by the yes to that card.
 */
import { describe, expect, it } from 'vitest'
import { acknowledgeCloud } from '../fakes/cloud-consent.ts'
import { first, next, set, told } from './job-world.ts'
import { ASKED, BODY, mailWorld, purposes, READS, WORDED, writer } from './worded-world.ts'
import type { World } from './world.ts'

const card = ({ sent }: World): string =>
  sent
    .filter(({ kind }) => kind === 'card')
    .map(({ text }) => text)
    .join('\n')
const NEWS = [{ id: 's1', do: 'tool', tool: 'email.search', args: { words: 'newsletter' } }]

describe('words that code does not plan whole', () => {
  it.each([
    [ASKED, 'summarise the newsletters of the week', 'every Friday at 17:00'],
    [
      'each morning tell me which mails need an answer and what they want',
      'which mails need an answer and what they want',
      'every day at 08:00',
    ],
    [
      'every sunday evening compare what is on next week with my open tasks',
      'compare what is on next week with my open tasks',
      'every Sunday at 18:00',
    ],
    ['summarise the newsletters every friday at 5pm', 'summarise the newsletters', 'every Friday at 17:00'],
    [
      'jeden Freitag um 17 Uhr fasse die Newsletter der Woche zusammen',
      'fasse die Newsletter der Woche zusammen',
      'every Friday at 17:00',
    ],
    [
      'every weekday at 8 write me a short overview of my inbox and what is odd in it',
      'my inbox and what is odd in it',
      'every weekday at 08:00',
    ],
  ])('%s: are planned by a model, and stand on the card as they were said', async (said, what, when) => {
    const { model } = writer()
    const of = mailWorld([model])
    await set(of, said)
    expect(card(of)).toContain(what)
    expect(card(of)).toContain(when)
    expect(first(of)).toMatchObject({ state: 'on', template: 'job_own_words', frozen: { planner: 'model' } })
  })

  it('the card says what it reads and looks for, the next three times, the chat, the model, and its tokens', async () => {
    const { model } = writer()
    const of = mailWorld([model])
    await set(of, ASKED)
    expect(card(of)).toMatch(/It reads, and changes nothing:\n- .+: newsletter\n- .+\n/)
    expect(card(of).match(/- Friday \d+ \w+, 17:00/g)).toHaveLength(3)
    expect(card(of)).toContain('Your own model own reads what this finds and words it')
    expect(card(of)).toContain('60 thousand tokens')
    expect(card(of)).not.toContain('no model reads any of it')
  })

  it('the card says by which words and fields rows are picked from what was found', async () => {
    const plans = [
      [...NEWS, { id: 's2', do: 'select', from: 's1.emails', matching: 'Acme', take: 'all' }],
      [
        ...NEWS,
        { id: 's2', do: 'select', from: 's1.emails', where: { field: 'unread', equals: true }, take: 'all' },
      ],
    ]
    for (const [at, by] of ['Acme', 'unread: true'].entries()) {
      const { model } = writer({ plans: [plans[at] ?? []] })
      const of = mailWorld([model])
      await set(of, ASKED)
      expect(card(of)).toContain(`- of that, only where this stands: ${by}\n`)
    }
  })

  it('are planned from the owner’s words alone: nothing is read before the yes', async () => {
    const { model, prompts } = writer()
    const of = mailWorld([model])
    await of.say(ASKED)
    await of.shell.tick()
    expect(of.calls).toEqual([])
    expect(purposes(prompts)).toEqual(['plan'])
    expect(prompts[0]?.parts.contents).toEqual([])
    of.clock.now += 1_000
    await of.say('no')
    expect(of.disk.store.jobs()).toEqual([])
  })

  it('what a model wrote into the plan lies sealed, and goes with the job’s row', async () => {
    const { model } = writer()
    const of = mailWorld([model])
    await of.say(ASKED)
    await of.shell.tick()
    const job = first(of)
    expect(JSON.stringify(job)).not.toContain('newsletter')
    const kept = job.frozen.literals?.ref.id ?? ''
    expect(of.disk.store.getSealed(kept)).not.toBeNull()
    of.clock.now += 1_000
    await of.say('no')
    expect(of.disk.store.getSealed(kept)).toBeNull()
  })

  it('that code plans whole ask no model', async () => {
    const { model, prompts } = writer()
    const of = mailWorld([model])
    await set(of, 'every day at 8 tell me my unread mail')
    await next(of)
    expect(prompts).toEqual([])
    expect(first(of).frozen.writer).toBeUndefined()
    expect(card(of)).toContain('Code writes the text; no model reads any of it.')
  })

  it('are set by no code where there is no model', async () => {
    const of = mailWorld([])
    await of.say(ASKED)
    expect(of.disk.store.jobs()).toEqual([])
    expect(of.heard()).toContain('I did not understand this one whole')
  })
})

describe('a plan that is no frozen plan of reads sets nothing', () => {
  it.each([
    ['a write', [{ id: 's1', do: 'tool', tool: 'task.add', args: { title: 'x' } }]],
    [
      'a mail to somebody',
      [{ id: 's1', do: 'tool', tool: 'email.send', args: { to: ['a@b.example'], subject: 'x', body: 'x' } }],
    ],
    ['an administrative operation', [{ id: 's1', do: 'tool', tool: 'job.stop', args: { which: 'job 1' } }]],
    [
      'a day that would be past',
      [{ id: 's1', do: 'tool', tool: 'email.search', args: { words: 'x', since: '2026-11-16T00:00:00Z' } }],
    ],
    [
      'a verb of a model’s',
      [...NEWS, { id: 's2', do: 'compose', from: ['s1'], instruction: 'x', maxChars: 100 }],
    ],
    [
      'a choice by a model',
      [...NEWS, { id: 's2', do: 'choose', from: 's1.emails', question: 'x', take: 'all' }],
    ],
    ['a question to the owner', [{ id: 's1', do: 'clarify', question: 'x', options: ['a', 'b'] }]],
    [
      'words of the model’s to a service',
      [{ id: 's1', do: 'tool', tool: 'web.search', args: { query: 'secret plans' } }],
    ],
    ['nothing', []],
  ])('%s', async (_, steps) => {
    const { model, prompts } = writer({ plans: [steps] })
    const of = mailWorld([model], {
      tools: {
        'web.search': () => ({ ok: true, output: { results: [] } }) as never,
        'task.add': () => ({ ok: true, output: {} }) as never,
        'email.send': () => ({ ok: true, output: {} }) as never,
      },
    })
    await of.say(ASKED)
    expect(of.disk.store.jobs()).toEqual([])
    expect(of.calls).toEqual([])
    expect(purposes(prompts)).toContain('plan')
  })

  it('a plan that is refused is made once more', async () => {
    const { model } = writer({
      plans: [
        [{ id: 's1', do: 'tool', tool: 'email.search', args: { words: 'x', since: '2026-11-16T00:00:00Z' } }],
        READS,
      ],
    })
    const of = mailWorld([model])
    await set(of, ASKED)
    expect(first(of).state).toBe('on')
  })
})

describe('a company’s model', () => {
  it('is never asked about for a job where it may read nothing of this chat: the own model behind it words it', async () => {
    const cloud = writer({ id: 'cloud', locality: 'cloud' })
    const own = writer()
    const of = mailWorld([cloud.model, own.model])
    await set(of, ASKED)
    expect(first(of).frozen.writer?.model).toBe('own')
    await next(of)
    expect(told(of)).toEqual([WORDED])
    expect(cloud.prompts).toEqual([])
  })

  it('that may read this chat stands on the card with what the yes allows: this job alone', async () => {
    const cloud = writer({ id: 'cloud', locality: 'cloud' })
    const of = mailWorld([cloud.model])
    await acknowledgeCloud(of, 'owner_private')
    await of.say(ASKED)
    await of.shell.tick()
    expect(card(of)).toMatch(
      /cloud, the model of a company, would read what this finds \(up to sensitive\)[\s\S]*in this job alone, until 2027-11-20/,
    )
    expect(of.disk.store.grants().filter(({ grant }) => grant.kind === 'cloud')).toHaveLength(1)
    of.clock.now += 1_000
    await of.say('yes')
    const job = first(of)
    expect(of.disk.store.grants().map(({ grant }) => grant)).toContainEqual(
      expect.objectContaining({ kind: 'cloud', template: 'job_own_words', job: job.id }),
    )
    await next(of)
    expect(told(of)).toEqual([WORDED])
    expect(cloud.prompts.at(-1)?.user).toContain(BODY)
  })

  it('gets nothing of what a job reads before a yes, after a no, nor once the consent is taken back', async () => {
    const cloud = writer({ id: 'cloud', locality: 'cloud' })
    const of = mailWorld([cloud.model])
    await acknowledgeCloud(of, 'owner_private')
    await set(of, ASKED)
    const { grants } = of.disk.store
    const own = grants().find(({ grant }) => grant.kind === 'cloud' && grant.job !== undefined)
    of.disk.store.revokeGrant(own?.grant.id ?? '', of.clock.now)
    await next(of)
    expect(purposes(cloud.prompts)).toEqual(['plan'])
    expect(cloud.prompts.map(({ user }) => user).join()).not.toContain(BODY)
    expect(told(of)).toEqual([expect.stringMatching(/^No model could word this today[\s\S]*Subject m1/)])
  })

  it('the consent ends with its job, and is there again with a job that is brought back', async () => {
    const cloud = writer({ id: 'cloud', locality: 'cloud' })
    const of = mailWorld([cloud.model])
    await acknowledgeCloud(of, 'owner_private')
    await set(of, ASKED)
    const stateOf = async (): Promise<string | undefined> =>
      (await of.ports.grants.list()).find(({ job }) => job !== undefined)?.state
    expect(await stateOf()).toBe('live')
    await of.say('remove job 1')
    expect(await stateOf()).toBe('ended')
    await of.say('undo')
    expect(await stateOf()).toBe('live')
  })

  it('the consent of one job is none of another', async () => {
    const cloud = writer({ id: 'cloud', locality: 'cloud' })
    const of = mailWorld([cloud.model])
    await acknowledgeCloud(of, 'owner_private')
    await set(of, ASKED)
    await of.say('summarise the newsletters every monday at 8')
    await of.shell.tick()
    expect(card(of).match(/would read what this finds/g)).toHaveLength(2)
  })
})
