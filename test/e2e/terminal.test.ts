/**
 * The main job, from outside: everything is started as a user starts it, and what happened is read from `ask --json`
 * and from the services themselves (DESIGN §8, H-10, B-09, R-32, T-15).
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MALLOC_SETTING } from '../../sidecar/service/service.ts'
import { calendarEvents, createBench, mailbox, processesWith, run, waitFor } from './terminal-bench.ts'

/** Milliseconds to wait for something that happens on its own. */
const SOON_MS = 20_000

describe('edge, home and demo on one machine', () => {
  const bench = createBench()
  let article = ''

  beforeAll(async () => {
    const printed = await bench.start()
    article = /A page to read: (\S+)/.exec(printed)?.[1] ?? ''
    expect(printed).toMatch(
      /^edge .*\nhome .*\ndemo .*\n .*begins anew.*\n .*connect mail.*model add.*\nzone .*\nstate /m,
    )
  })
  afterAll(() => bench.remove())

  test('status shows both places, and the tunnel up', async () => {
    await waitFor(
      async () => JSON.parse((await bench.pfar('status', '--json')).out).home?.tunnel === 'up',
      SOON_MS,
    )
    const { code, out } = await bench.pfar('status', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ running: true, home: { place: 'home' }, edge: { place: 'edge' } })
  })

  test.each([
    ['check my email', /Sarah Chen[\s\S]*That is the demo mailbox\.$/, ['email.list']],
    ['read the one from Sarah', /two numbers are still open[\s\S]*demo mailbox\.$/i, ['email.read']],
    ['what is on my calendar tomorrow', /Product team sync[\s\S]*demo calendar\.$/, ['calendar.list_events']],
    ['when am I free on Friday', /free[\s\S]*demo calendar\.$/i, ['calendar.freebusy']],
  ])('private line: "%s"', async (words, answer, tools) => {
    const { code, report } = await bench.ask(words)
    expect(report.reply).toMatch(answer)
    expect(report.task).toMatchObject({
      place: 'home',
      state: 'completed',
      label: 'sensitive',
      model: 'rules',
    })
    expect(report.task.steps.map(({ tool }) => tool)).toEqual(tools)
    expect(report.task.delivered).toHaveLength(1)
    expect(report.task.delivered[0]).toMatchObject({ sink: 'sink:terminal:owner', label: 'sensitive' })
    expect(code).toBe(0)
  })

  test('a stranger who gives orders in a mail moves nothing', async () => {
    const { report } = await bench.ask('read the one from Account Services')
    expect(report.task.steps.map(({ tool }) => tool)).toEqual(['email.read'])
    expect(report.task.delivered.map(({ sink }) => sink)).toEqual(['sink:terminal:owner'])
    const mails = await mailbox(bench.folder)
    expect(mails.map(({ id }) => id)).toContain('demo-stranger')
    expect(mails.flatMap(({ labelIds }) => labelIds)).not.toContain('SENT')
  })

  test('an appointment: card, approval, and exactly one event in the calendar', async () => {
    const lunches = async () =>
      (await calendarEvents(bench.folder)).filter(({ summary }) => /Lunch with Sarah/i.test(summary))
    const asked = await bench.ask('book lunch with Sarah on Friday at 13:00')
    expect(asked.code).toBe(0)
    expect(asked.report.task.state).toBe('awaiting_approval')
    expect(asked.report.reply).toMatch(/lunch/i)
    const approval = asked.report.task.approval ?? ''
    expect(approval).not.toBe('')
    expect(await lunches()).toHaveLength(0)

    const listed = JSON.parse((await bench.pfar('approvals', '--json')).out)
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([approval])
    const approved = await bench.pfar('approve', String(listed[0].number), '--json')
    expect(approved.code).toBe(0)
    expect(JSON.parse(approved.out).task).toMatchObject({ state: 'completed', id: asked.report.task.id })
    const booked = await lunches()
    expect(booked).toHaveLength(1)
    expect(new Date(booked[0]?.start ?? '').getUTCDay()).toBe(5)

    const again = await bench.pfar('approve', approval)
    expect(again.code).toBe(0)
    const other = await bench.pfar('deny', approval)
    expect(other.code).toBe(1)
    expect(other.err).toContain('the event is in your calendar')
    expect(await lunches()).toHaveLength(1)
  })

  test('`ask yes` does what `ask` has asked about, says so, and does it once', async () => {
    const walks = async () =>
      (await calendarEvents(bench.folder)).filter(({ summary }) => /Walk with Joost/i.test(summary))
    expect((await bench.pfar('ask', 'book a walk with Joost on Friday at 20:00')).out).toContain(
      'May I do this?',
    )
    const yes = await bench.pfar('ask', 'yes')
    expect([yes.code, yes.out]).toEqual([0, expect.stringContaining('Booked: Walk with Joost')])
    expect(await walks()).toHaveLength(1)
    await bench.pfar('ask', 'yes')
    expect(await walks()).toHaveLength(1)
  })

  test('an appointment that is refused is not made', async () => {
    const before = (await calendarEvents(bench.folder)).length
    const { report } = await bench.ask('book lunch with Sarah on Friday at 17:00')
    const denied = await bench.pfar('deny', report.task.approval ?? '', '--json')
    expect(
      JSON.parse(denied.out).task.steps.filter(({ approved }: { approved: boolean }) => approved),
    ).toEqual([])
    expect(await calendarEvents(bench.folder)).toHaveLength(before)
  })

  test.each([
    ['private', 'home'],
    ['open', 'edge'],
  ])('a page, by the %s line, is read at the %s', async (line, place) => {
    const { report } = await bench.ask(`read ${article}`, '--line', line)
    expect(report.task).toMatchObject({ place, state: 'completed' })
    expect(report.reply).toContain('The harbour that stores the wind')
    expect(report.reply).not.toContain('collect.example')
  })

  test('what is remembered can be asked for', async () => {
    const told = await bench.ask('remember that the spare key is with Mrs Olsen')
    expect(told.report.task.state).toBe('completed')
    const { report } = await bench.ask('what do you know about the spare key')
    expect(report.reply).toContain('Mrs Olsen')
  })

  test('what is remembered on the open line can be asked for at home, and not the other way', async () => {
    const told = await bench.ask('remember that the locker code is 4711', '--line', 'open')
    expect(told.report.task).toMatchObject({ place: 'edge', state: 'completed' })
    await waitFor(async () => {
      const { report } = await bench.ask('what do you know about the locker code')
      return report.task.place === 'home' && /4711/.test(report.reply ?? '')
    }, SOON_MS)
    const { report } = await bench.ask('what do you know about the spare key', '--line', 'open')
    expect(report.reply).not.toContain('Olsen')
  })

  test('free times on the open line are called those of the demo', async () => {
    const { report } = await bench.ask('when am I free on Friday', '--line', 'open')
    expect(report.task).toMatchObject({ place: 'edge', state: 'completed' })
    expect(report.reply).toMatch(/free[\s\S]*That is the demo calendar\.$/)
  })

  test('mail asked for on the open line is not read at all, and the owner is told what can be done there', async () => {
    const { report } = await bench.ask('check my email', '--line', 'open')
    expect(report.task).toMatchObject({ place: 'edge', template: 'owner_open', label: 'internal', steps: [] })
    expect(report.reply).not.toMatch(/Q3 budget|Sarah Chen|dentist/i)
    expect(report.task.delivered.map(({ sink, label }) => [sink, label])).toEqual([
      ['sink:openline:owner', 'internal'],
    ])
  })

  test('home killed: it is said, it comes back with what was set meanwhile, and the next question is answered', async () => {
    appendFileSync(join(bench.folder, 'config.toml'), '\n[persona]\nname = "Zora"\n')
    const [home] = processesWith('sidecar/main.js').filter((pid) => environmentOf(pid).includes(bench.folder))
    expect(home).toBeDefined()
    for (const entry of Object.entries(MALLOC_SETTING))
      expect(environmentOf(home ?? 0)).toContain(`\0${entry.join('=')}\0`)
    if (home !== undefined) process.kill(home, 'SIGKILL')
    const { report } = await bench.ask('check my email')
    expect(report.task.state).toBe('completed')
    expect(bench.printed()).toContain('home   stopped on its own; starting it again in 0.5 s')
    expect((await bench.ask('who are you?')).report.reply).toContain('Zora')
  })

  test('piped lines are a conversation', async () => {
    const script = `import { spawn } from 'node:child_process'
const chat = spawn(process.execPath, ['scripts/pfar.mjs', 'chat'], { stdio: ['pipe', 'inherit', 'inherit'] })
chat.stdin.end('what is on my calendar tomorrow\\n/help cards\\n')
chat.on('exit', (code) => process.exit(code ?? 1))`
    const { code, out } = await run(['--input-type=module', '-e', script], {
      ...process.env,
      PFAR_HOME: bench.folder,
    })
    expect(code).toBe(0)
    expect(out).toContain('Product team sync')
    expect(out).toContain('home · sensitive · calendar.list_events')
    expect(out).toContain('/approve [n]')
  })

  test('a second start for the same folder is one plain sentence', async () => {
    const second = await run(['scripts/start.js', '--no-chat', '--port', '0'], {
      ...process.env,
      PFAR_HOME: bench.folder,
    })
    expect(second.code).toBe(1)
    expect(second.out).toBe('')
    expect(second.err).toMatch(/^PFAR already runs for .*\n$/)
  })

  test('stops with nothing left behind', async () => {
    expect(await bench.stop()).toBe(0)
    expect(processesOf(bench.folder)).toEqual([])
  })
})

describe('the edge alone', () => {
  const bench = createBench()
  afterAll(() => bench.remove())

  test('reads a page on the open line', async () => {
    const printed = await bench.start('--only', 'edge')
    expect(printed).not.toMatch(/^home /m)
    const article = /A page to read: (\S+)/.exec(printed)?.[1] ?? ''
    const { report } = await bench.ask(`read ${article}`, '--line', 'open')
    expect(report.task).toMatchObject({ place: 'edge', state: 'completed' })
    expect(report.reply).toContain('The harbour that stores the wind')
  })

  test('killed outright, it leaves no process behind', async () => {
    await bench.kill()
    await waitFor(() => processesOf(bench.folder).length === 0, SOON_MS)
  })
})

describe('nothing running', () => {
  const bench = createBench()
  afterAll(() => bench.remove())

  test('ask starts what it needs, answers, and stops it again', async () => {
    const { code, report } = await bench.ask('what is on my calendar tomorrow')
    expect(code).toBe(0)
    expect(report.reply).toContain('Product team sync')
    expect(processesOf(bench.folder)).toEqual([])
  })

  test('status starts nothing', async () => {
    const { code, err } = await bench.pfar('status')
    expect(code).toBe(1)
    expect(err).toContain('npm start')
    expect(processesOf(bench.folder)).toEqual([])
  })

  test('a broken configuration is one plain sentence that names the setting', async () => {
    writeFileSync(join(bench.folder, 'config.toml'), '[owner]\ntimezone = "Mars/Olympus"\n')
    const { code, err } = await run(['scripts/start.js', '--no-chat'], {
      ...process.env,
      PFAR_HOME: bench.folder,
    })
    expect(code).toBe(1)
    expect(err).toMatch(/^\S+config\.toml: owner\.timezone .*\n$/)
  })
})

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

/** Ids of processes that were started for this state folder. */
function processesOf(folder: string): readonly number[] {
  return processesWith('').filter(
    (pid) => environmentOf(pid).includes(`PFAR_HOME=${folder}`) || processesWith(folder).includes(pid),
  )
}
