/**
 * The owner's own templates (B-40, O-61, S-12): read beside the shipped ones, bounded by their class, read again while home runs; and which
 * templates ship.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { CHORES } from '../../kernel/features/housekeeping/chores.ts'
import { matchTemplate } from '../../kernel/template/template.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { readTemplates } from '../../sidecar/config/home-texts.ts'
import { openTemplates } from '../../sidecar/config/own-templates.ts'
import { newFolder } from '../kit/folder.ts'
import { codeOf } from '../task/fixtures.ts'

const REGISTRY = createRegistry(TOOL_MANIFESTS)
const shipped = (() => {
  const read = readTemplates(REGISTRY)
  if (!read.ok) throw new Error(read.reason.code)
  return read.value
})()

let state = ''
beforeEach(() => {
  state = newFolder('templates')
  mkdirSync(join(state, 'templates'))
})
const write = (name: string, text: string): void => writeFileSync(join(state, 'templates', name), text)
const open = () => openTemplates(state, shipped, REGISTRY)
const ownIds = (all: ReturnType<typeof open>) =>
  all
    .now()
    .filter(({ own }) => own === true)
    .map(({ id }) => id)

const CLUB = {
  template_id: 'chess_club',
  triggers: ['adapter:*:message:paired'],
  intents: ['calendar_free'],
  principal_class: 'paired',
  description: 'Free times for the chess club',
  planner_task_description: 'Somebody of the chess club asks for a time.',
  allowed_tools: ['calendar.freebusy', 'message.reply'],
  max_tool_calls: 3,
  max_tokens_plan: 1000,
  max_tokens_synthesize: 1000,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
}
const OWNER = {
  ...CLUB,
  triggers: ['adapter:terminal:message:owner'],
  principal_class: 'owner',
  output_sinks: ['sink:terminal:owner'],
}
const toml = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join('\n')

describe('a file of the owner’s', () => {
  it('counts beside the shipped ones, and is preferred where it is the narrower', () => {
    write('club.toml', toml(CLUB))
    const all = open()
    expect(all.notices()).toEqual([])
    expect(ownIds(all)).toEqual(['chess_club'])
    const query = { adapter: 'telegram', kind: 'message', class: 'paired', intent: 'calendar_free' } as const
    expect(codeOf(matchTemplate(all.now(), query))).toBe('ok')
    expect(matchTemplate(all.now(), query)).toMatchObject({ value: { id: 'chess_club' } })
    expect(matchTemplate(all.now(), { ...query, intent: null })).toMatchObject({
      value: { id: 'paired_scheduling' },
    })
  })

  it('asks before each write, whatever it says', () => {
    write('mine.toml', toml({ ...OWNER, require_approval_for_writes: false }))
    expect(open().now().at(-1)).toMatchObject({ id: 'chess_club', requireApprovalForWrites: true })
    const allowed = ['notion.add_row', 'message.reply']
    const row = { allowed_tools: allowed, unasked_when_allowed: ['notion.add_row'] }
    write('mine.toml', toml({ ...OWNER, ...row, require_approval_for_writes: true }))
    const own = open()
    expect(own.notices()).toEqual([])
    expect(own.now().at(-1)).toMatchObject({ id: 'chess_club', tools: allowed.toSorted() })
    expect(own.now().at(-1)).not.toHaveProperty('unasked')
  })

  it.each([
    ['a shipped name', { template_id: 'owner_private' }, 1, 'cannot replace'],
    ['more data than its class', { data_ceiling: 'sensitive' }, 12, '“data_ceiling”'],
    ['a compartment', { data_compartments: ['health'] }, 13, '“data_compartments”'],
    ['mail for somebody else', { allowed_tools: ['email.read'] }, 7, 'email.read'],
    ['a write for somebody else', { allowed_tools: ['calendar.create_event'] }, 7, 'calendar.create_event'],
    ['all of the owner’s tools for somebody else', { allowed_tools: ['own:read'] }, 7, '“allowed_tools”'],
    ['administration for somebody else', { allowed_tools: ['brain.load'] }, 7, 'brain.load'],
    ['no task of its own', { planner_task_description: undefined }, 1, '“planner_task_description”'],
    ['the owner’s trigger', { triggers: ['adapter:*:message:owner'] }, 2, '“triggers”'],
    ['a shipped one’s messages', { intents: [] }, 2, 'paired_scheduling'],
    ['a misspelt limit', { max_tool_cals: 3 }, 13, '“max_tool_cals”'],
    ['no limit', { max_tool_calls: undefined }, 1, '“max_tool_calls”'],
  ])('is refused with %s: file, line and reason', (_, part, line, says) => {
    const fields = Object.entries({ ...CLUB, ...part }).filter(([, value]) => value !== undefined)
    write('club.toml', toml(Object.fromEntries(fields)))
    const all = open()
    expect(all.now()).toEqual(shipped)
    expect(all.notices()).toHaveLength(1)
    expect(all.notices()[0]).toContain(`templates/club.toml, line ${line}: `)
    expect(all.notices()[0]).toContain(says)
  })

  it('with a mistake of TOML is named with its line, and stops no other', () => {
    write('a.toml', 'template_id = "x"\ntriggers = [\nnonsense')
    write('club.toml', toml(CLUB))
    const all = open()
    expect(ownIds(all)).toEqual(['chess_club'])
    expect(all.notices()).toEqual(['templates/a.toml, line 3: this is not valid TOML. It is not used.'])
  })

  it('that is too long is not read', () => {
    write('club.toml', `${toml(CLUB)}\n# ${'x'.repeat(70_000)}`)
    expect(ownIds(open())).toEqual([])
  })
})

describe('while home runs', () => {
  it('a change counts, a mistake keeps the former version, and a file that is gone is gone', () => {
    const all = open()
    expect(all.reload()).toBe(false)
    write('club.toml', toml(CLUB))
    expect(all.reload()).toBe(true)
    expect(all.reload()).toBe(false)
    write('club.toml', toml({ ...CLUB, max_tool_calls: 2 }))
    expect(all.reload()).toBe(true)
    expect(all.now().at(-1)).toMatchObject({ maxToolCalls: 2 })
    write('club.toml', toml({ ...CLUB, data_ceiling: 'sensitive' }))
    expect(all.reload()).toBe(true)
    expect(all.now().at(-1)).toMatchObject({ id: 'chess_club', maxToolCalls: 2 })
    expect(all.notices()[0]).toMatch(/line 12: .*The former version stays\.$/)
    rmSync(join(state, 'templates', 'club.toml'))
    expect(all.reload()).toBe(true)
    expect(all.now()).toEqual(shipped)
    expect(all.notices()).toEqual([])
  })

  it('an update that ships a template of the same name takes precedence, and says so', () => {
    write('club.toml', toml(CLUB))
    const own = open().now().at(-1)
    if (own === undefined) throw new Error('none')
    const { own: _, ...now } = own
    const updated = openTemplates(state, [...shipped, { ...now, maxToolCalls: 9 }], REGISTRY)
    expect(ownIds(updated)).toEqual([])
    expect(updated.notices()[0]).toContain('line 1: “template_id” is the name')
    expect(readFileSync(join(state, 'templates', 'club.toml'), 'utf8')).toBe(toml(CLUB))
  })
})

/** Jobs 1 to 11 of the source in their order (G-11 – G-21), and our own. */
const JOBS = [
  ...['owner_email_check', 'owner_github_digest', 'owner_health_daily', 'owner_crypto_digest'],
  ...['owner_twitter_digest', 'owner_surf_forecast', 'owner_slack_check', 'owner_moltbook_check'],
  ...['owner_jobs_digest', 'owner_health_weekly', 'owner_health_monthly'],
  ...['job_morning_briefing', 'job_evening_review', 'job_open_briefing', 'job_open_review'],
  ...['owner_bluesky_digest', 'owner_oura_daily'],
]
/** What a job in the owner's words, a condition and a page run under. */
const UNDER = ['job_mail_watch', 'job_open_words', 'job_own_words', 'job_page']

describe('what ships', () => {
  it('has a template for the owner in general, for health, for people, for strangers, and one for each job', () => {
    const ids = shipped.filter(({ job }) => job === undefined).map(({ id }) => id)
    expect(ids).toEqual(
      expect.arrayContaining([
        'owner_private',
        'owner_open',
        'owner_health',
        'meeting_log',
        'paired_scheduling',
        'scheduling',
      ]),
    )
    // "Owner admin" is none of them: a plan asks for operations on the owner's own lines alone.
    expect(shipped.filter(({ id }) => id.includes('admin'))).toEqual([])
    const setting = shipped.filter(({ tools }) => tools.some((tool) => tool.startsWith('admin')))
    expect(setting.filter(({ principalClass }) => principalClass !== 'owner')).toEqual([])
    expect(setting.map(({ id }) => id).toSorted()).toEqual(['owner_private', 'owner_telegram_general'])
    const jobs = shipped.filter(({ principalClass }) => principalClass === 'cron')
    // One that goes is missed by its name.
    const titled = jobs.filter(({ job }) => job !== undefined)
    expect(titled.map(({ id }) => id).toSorted()).toEqual(JOBS.toSorted())
    const others = jobs.filter(({ job }) => job === undefined)
    expect(others.map(({ id }) => id).toSorted()).toEqual(UNDER)
    // Jobs 12 and 13 are no files: home does them for itself, at the times of the source (docs/design/departures.md).
    expect(CHORES).toMatchObject({ memory: '0 11 * * 0', rotation: '0 10 1 * *' })
    for (const { job, sinks } of jobs) {
      expect(job?.title).not.toBe('')
      expect(sinks).not.toContain('reply_to_sender')
    }
    expect(new Set(jobs.flatMap(({ intents }) => intents)).size).toBe(jobs.length)
  })

  it.each(['owner_telegram_general', 'whatsapp_scheduling'])(
    'has the sample %s, which is refused as a copy and loads under a name of its own',
    (name) => {
      const source = new URL(`../../templates/tasks/${name}.toml`, import.meta.url)
      cpSync(source, join(state, 'templates', 'sample.toml'))
      expect(open().notices()[0]).toContain('“template_id” is the name')
      write(
        'sample.toml',
        readFileSync(source, 'utf8')
          .replace(name, 'mine')
          .replace(/(telegram|whatsapp):message/, 'console:message'),
      )
      const all = open()
      expect(all.notices()).toEqual([])
      const sample = shipped.find(({ id }) => id === name)
      const differs = { id: 'mine', triggers: expect.anything(), own: true, requireApprovalForWrites: true }
      expect(all.now().at(-1)).toEqual({ ...sample, ...differs })
    },
  )
})
