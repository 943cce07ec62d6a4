/**
 * Running a job that a model words (issue 2.6, O-25): the frozen plan and no other, its words by the model that the card named, code's text where that gives none,
 * quiet where there is nothing, a budget of tokens, and a stop where another model would word it.
 */
import { describe, expect, it } from 'vitest'
import { seedDirectives } from '../../kernel/features/directives/directive-keeping.ts'
import { jobDigest, readsOf } from '../../kernel/features/jobs/frozen.ts'
import { standingFor } from '../../kernel/features/models/operations/list.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { readBrainTemplates } from '../../sidecar/config/home-texts.ts'
import { acknowledgeCloud } from '../fakes/cloud-consent.ts'
import { auditedAs, waiting } from './approvals-owner.ts'
import { at, first, mail, next, outcomes, set, told } from './job-world.ts'
import { ASKED, BODY, mailWorld, purposes, READS, WORDED, writer } from './worded-world.ts'
import { createDisk, type World } from './world.ts'

const DAILY = 'every day at 8 summarise the newsletters'
const notices = ({ sent }: World): readonly string[] =>
  sent.filter(({ id }) => id.startsWith('job:')).map(({ text }) => text)
const calledBy = ({ calls }: World) => calls.map(({ tool, args }) => [tool, args])

describe('who words it', () => {
  it('is part of what a page was allowed for, and no consent of its template', async () => {
    const { model } = writer()
    const of = mailWorld([model])
    await set(of, ASKED)
    const job = first(of)
    const other = { ...job.frozen, writer: { model: 'other', version: 'x' } }
    expect(readsOf({ ...job, frozen: other })).not.toBe(readsOf(job))
    const grant = { id: 'g', kind: 'cloud', template: job.template, card: '', state: 'live' } as const
    const times = { createdAt: 0, expiresAt: 1, perDay: 0 }
    expect(standingFor([{ ...grant, ...times, job: job.id }], job.template)).toEqual([])
    expect(standingFor([{ ...grant, ...times }], job.template)).toHaveLength(1)
  })
})

describe('a run', () => {
  it('reads what the card showed, each time anew, and is told as the model words it', async () => {
    const { model, prompts } = writer()
    const of = mailWorld([model])
    await set(of, ASKED)
    await next(of)
    await next(of)
    const once = [
      ['email.search', { words: 'newsletter' }],
      ['email.read', { id: 'm1' }],
    ]
    expect(calledBy(of)).toEqual([...once, ...once])
    expect([told(of), outcomes(of)]).toEqual([
      [WORDED, WORDED],
      ['told', 'told'],
    ])
    expect(purposes(prompts)).toEqual(['plan', 'synthesize', 'synthesize'])
    // An earlier text quotes others, and is no part of the next prompt.
    expect(prompts[2]?.user).not.toContain(WORDED)
    expect(prompts[2]?.parts.tools).toEqual([])
  })

  it('says when it began and ended, and what its model used; the one before that had nothing to tell used none (G-06)', async () => {
    const { model } = writer()
    const mails: ReturnType<typeof mail>[] = []
    const of = mailWorld([model], { mails })
    await set(of, ASKED)
    await next(of)
    mails.push(mail('m1'))
    await next(of)
    const by = { principal: OWNER_PRINCIPAL, sink: 'sink:terminal:owner' }
    const shown = await of.ports.jobs?.runs(by, '1')
    const used = of.disk.store.usageBy('task', '2026-01-01', 50)
    const [run] = of.disk.store.runsOf(first(of).id, 1)
    const { input = 0, output = 0 } = used.find(({ name }) => name === run?.task) ?? {}
    expect(input + output).toBeGreaterThan(0)
    expect(shown).toMatchObject({
      value: {
        last: { tokens: input + output },
        runs: [
          { outcome: 'told', started: run?.started, ended: run?.ended, tokens: input + output },
          { outcome: 'quiet', tokens: 0 },
        ],
      },
    })
    await of.say('/jobruns 1')
    const time = String.raw`\d\d:\d\d`
    expect(of.heard()).toMatch(new RegExp(`: sent; from ${time} to ${time}, ${input + output} tokens$`, 'm'))
    expect(of.heard()).toMatch(new RegExp(`: nothing to tell; from ${time} to ${time}, 0 tokens$`, 'm'))
  })

  it('has the self description and the owner’s files in its prompt, as their own messages have (O-25)', async () => {
    const { model, prompts } = writer()
    const of = mailWorld([model])
    await seedDirectives(of.powers, readBrainTemplates)
    await set(of, ASKED)
    await next(of)
    await of.say('please ponder what otters dream of')
    const asked = prompts.filter(({ parts }) => parts.purpose === 'synthesize')
    const [job, message] = asked.map(({ parts: { self, directives, audience } }) => ({
      audience,
      self: self.sections.map(({ kind }) => kind),
      files: directives.map(({ name }) => name),
    }))
    expect(job?.files).toContain('AGENTS')
    expect(job?.self).toContain('persona')
    // What was said of late is of the conversation, and a run has one of its own.
    expect(job).toEqual({ ...message, self: message?.self.filter((kind) => kind !== 'recent') })
    expect(asked[0]?.parts.document).toContain('Truth before comfort')
  })

  it('runs in a session of its own: nothing of the owner’s conversation is in its prompt', async () => {
    const { model, prompts } = writer()
    const of = mailWorld([model])
    await set(of, ASKED)
    await of.say('my secret word is wallaby')
    await next(of)
    expect(prompts.at(-1)?.parts.purpose).toBe('synthesize')
    expect(prompts.at(-1)?.user).not.toContain('wallaby')
  })

  it('reads as many as its plan says, whatever comes', async () => {
    const [list, each] = READS
    const { model } = writer({ plans: [[list ?? {}, { ...each, max: 20 }]] })
    const mails = Array.from({ length: 20 }, (_, nth) => mail(`m${nth}`))
    const of = mailWorld([model], { mails })
    await set(of, ASKED)
    await next(of)
    expect(of.calls).toHaveLength(21)
    expect(told(of)).toEqual([WORDED])
  })

  it('says nothing where there is nothing, and asks no model', async () => {
    const { model, prompts } = writer()
    const of = mailWorld([model], { mails: [] })
    await set(of, ASKED)
    await next(of)
    expect([told(of), outcomes(of), purposes(prompts)]).toEqual([[], ['quiet'], ['plan']])
  })

  it.each([
    ['', 'an empty answer'],
    ['  \n', 'blanks'],
  ])('is told by code, and says so, after %j (%s)', async (words) => {
    const { model } = writer({ words: () => words })
    const of = mailWorld([model])
    await set(of, ASKED)
    await next(of)
    expect(told(of)).toEqual([
      expect.stringMatching(/^No model could word this today[^\n]*\n\n[\s\S]*Subject m1/),
    ])
  })

  it('is told by code where the model fails', async () => {
    const { model } = writer()
    let isUp = true
    const failing: ModelProvider = {
      ...model,
      complete: (prompt, limits) =>
        isUp
          ? model.complete(prompt, limits)
          : Promise.resolve({ ok: false, reason: { code: 'model_failed', facts: {} } }),
    }
    const of = mailWorld([failing])
    await set(of, ASKED)
    isUp = false
    await next(of)
    expect(told(of)).toEqual([expect.stringMatching(/^No model could word this today/)])
  })

  it('says that it may lack something where a read failed', async () => {
    const { model } = writer()
    const of = mailWorld([model], {
      tools: { 'email.read': () => ({ ok: false, reason: { code: 'service_failed', facts: {} } }) as never },
    })
    await set(of, ASKED)
    await next(of)
    expect(told(of).join()).toMatch(/^Not all that this reads could be read[\s\S]*otters/)
  })

  it.each([
    [
      'another plan',
      { plan: { steps: [{ id: 's1', do: 'tool', tool: 'task.list', args: {} }], explanation: '' } },
    ],
    ['another model', { writer: { model: 'own', version: 'f'.repeat(64) } }],
    ['no model', { writer: undefined }],
  ] as const)('a row with %s runs nothing', async (_, other) => {
    const { model } = writer()
    const of = mailWorld([model])
    await set(of, ASKED)
    const job = first(of)
    of.disk.store.saveJob({ ...job, frozen: { ...job.frozen, ...other } as never })
    await next(of)
    expect([of.calls, told(of)]).toEqual([[], []])
  })
})

describe('tokens of a day', () => {
  it('are said to run out once, at 80 %, and stop the job when they are used, with one message; "resume" goes on', async () => {
    const { model } = writer({ tokens: 20_000 })
    const of = mailWorld([model])
    await set(of, 'every day at 8, 10, 12, 14, 16 and 18 summarise the newsletters')
    const job = first(of)
    const limited = { ...job, budget: { messages: 24, since: 0, ...job.budget, tokens: 100_000 } }
    of.disk.store.saveJob({ ...limited, digest: jobDigest(limited) })
    // From the first run of a day on.
    of.clock.now += 86_400_000
    const before = told(of).length
    await at(of, of.clock.now - (of.clock.now % 86_400_000) + 86_400_000)
    for (let run = 0; run < 8 && first(of).state === 'on'; run += 1) await next(of)
    const texts = told(of).slice(before)
    expect(texts).toHaveLength(5)
    expect(texts.flatMap((text, nth) => (text.includes('thousand tokens') ? [nth + 1] : []))).toEqual([4])
    expect(texts[3]).toContain(
      'Of the 100 thousand tokens that this may use of its model today, 80 thousand are used',
    )
    expect(first(of)).toMatchObject({ state: 'paused', why: 'budget' })
    expect(notices(of)).toEqual([
      expect.stringMatching(/^I stopped job 1 .*its model has used the 100 thousand tokens.*\/resumejob 1/),
    ])
    of.clock.now += 60_000
    await of.say('/resumejob 1')
    await next(of)
    expect(told(of).slice(before)).toHaveLength(6)
  })

  it('are part of what is approved', async () => {
    const { model } = writer()
    const of = mailWorld([model])
    await set(of, DAILY)
    const job = first(of)
    of.disk.store.saveJob({ ...job, budget: { messages: 24, since: 0, tokens: 9_000_000 } })
    await next(of)
    expect(of.calls).toEqual([])
  })

  it('stay as they were when it is moved', async () => {
    const { model } = writer()
    const of = mailWorld([model])
    await set(of, DAILY)
    await set(of, 'make job 1 every hour')
    expect(first(of)).toMatchObject({ budget: { tokens: 60_000 }, state: 'on' })
    await next(of)
    expect(told(of)).toEqual([WORDED])
  })
})

describe('a model that is another one by now', () => {
  /** The same disk, after a restart with these models. */
  async function restarted(models: readonly ModelProvider[]): Promise<World> {
    const disk = createDisk()
    const before = mailWorld([writer({ version: 'ollama http://127.0.0.1 small' }).model], { disk })
    await set(before, DAILY)
    const of = mailWorld(models, { disk })
    of.clock.now = before.clock.now
    return of
  }

  /** Number of its card: one that nobody asked for just now is answered by it. */
  const waits = async (of: World) => (await waiting(of)).at(-1)?.number

  it.each([
    ['answers by the same name', 'own', 'ollama http://127.0.0.1 large'],
    ['has another name', 'other', undefined],
  ] as const)(
    'that %s: the job stops before its run and asks, and its yes is for that one',
    async (_, id, version) => {
      const other = writer({ id, ...(version !== undefined && { version }) })
      const of = await restarted([other.model])
      await next(of)
      expect([of.calls, told(of), other.prompts]).toEqual([[], [], []])
      expect(first(of)).toMatchObject({ state: 'paused', why: 'widened' })
      const asked = of.sent.find(({ kind }) => kind === 'card')?.text ?? ''
      expect(asked).toMatch(
        /The model that your card named is gone, or is another one by now\. From now on:\nYour own model \w+ reads/,
      )
      of.clock.now += 1_000
      await of.say(`yes ${await waits(of)}`)
      expect(first(of)).toMatchObject({ state: 'on', frozen: { writer: { model: id } } })
      await next(of)
      expect(told(of)).toEqual([WORDED])
    },
  )

  it('that is a company’s now gets nothing before the yes, and its consent comes with it', async () => {
    const cloud = writer({ id: 'own', locality: 'cloud' })
    const of = await restarted([cloud.model])
    await acknowledgeCloud(of, 'owner_private')
    await next(of)
    expect([of.calls, cloud.prompts]).toEqual([[], []])
    expect(of.sent.filter(({ kind }) => kind === 'card').at(-1)?.text).toContain(
      'the model of a company, would read',
    )
    of.clock.now += 1_000
    await of.say(`yes ${await waits(of)}`)
    await next(of)
    expect(cloud.prompts.at(-1)?.user).toContain(BODY)
  })

  it('a no leaves it stopped', async () => {
    const of = await restarted([writer({ version: 'x' }).model])
    await next(of)
    of.clock.now += 1_000
    await of.say('no')
    await at(of, of.clock.now + 5 * 86_400_000)
    expect([first(of).state, told(of)]).toEqual(['paused', []])
  })

  it('that is gone, and no other is there: code tells it, and says so', async () => {
    const of = await restarted([])
    await next(of)
    expect(told(of)).toEqual([expect.stringMatching(/^No model could word this today[\s\S]*Subject m1/)])
    expect(auditedAs(of, 'model_called').every(({ model }) => model === 'rules')).toBe(true)
  })
})
