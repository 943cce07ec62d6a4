/** What `pfar init` writes into `config.toml`, which answers it accepts, and the order of its questions. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseTable } from 'smol-toml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TAKES_DEFAULTS } from '../../sidecar/cli/chat/asker.ts'
import { createContext } from '../../sidecar/cli/command.ts'
import { stepsOf } from '../../sidecar/cli/commands/init-command.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { createSettings, withoutTable, withSetting, withTable } from '../../sidecar/config/config-edit.ts'
import { assistantIn, namesGiven, yesIn, zoneIn } from '../../sidecar/init/answers.ts'
import {
  INIT_FILE,
  initKeeper,
  readInitRecord,
  wasAsked,
  writeInitRecord,
} from '../../sidecar/init/init-record.ts'
import { modelStep, namesStep } from '../../sidecar/init/setting-steps.ts'
import { again, runWizard, type Step, type Told, taken } from '../../sidecar/init/wizard.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'

const SILENT = { out: () => undefined, err: () => undefined, progress: () => undefined, dim: String }
const ZONE = { table: 'owner', key: 'timezone', value: 'Asia/Tokyo', replaces: null } as const
const LIE = '[owner]\nname = """\n[persona]\nname = "x"\n"""\n'

describe('editing one setting among the owner’s lines', () => {
  test.each([
    ['an empty file', '', ZONE, '\n[owner]\ntimezone = "Asia/Tokyo"\n'],
    [
      'a table that is there',
      '[owner] # me\n# mine\nname = "A"\n',
      ZONE,
      '[owner] # me\ntimezone = "Asia/Tokyo"\n# mine\nname = "A"\n',
    ],
    ['one that is commented out', '# [owner]\n', ZONE, '# [owner]\n\n[owner]\ntimezone = "Asia/Tokyo"\n'],
    ['no last newline', '[approvals]', ZONE, '[approvals]\n\n[owner]\ntimezone = "Asia/Tokyo"\n'],
    [
      'its own value',
      '[owner]\ntimezone = "UTC"\n[edge]\n',
      { ...ZONE, replaces: 'UTC' },
      '[owner]\ntimezone = "Asia/Tokyo"\n[edge]\n',
    ],
    [
      'its own, taken away',
      '[owner]\ntimezone = "UTC"\nname = "A"\n',
      { ...ZONE, value: null, replaces: 'UTC' },
      '[owner]\nname = "A"\n',
    ],
    ['its owner’s value', '[owner]\ntimezone = "UTC"\n', ZONE, null],
    [
      'a value that is its owner’s by now',
      '[owner]\ntimezone = "UTC"\n',
      { ...ZONE, replaces: 'Asia/Seoul' },
      null,
    ],
    ['a key written in one line', 'owner = { name = "A" }\n', ZONE, null],
    ['a key of dots', 'owner.name = "A"\n', ZONE, null],
    ['a table in a text', LIE, { ...ZONE, table: 'persona', key: 'style' }, null],
    [
      'a line of a text',
      '[owner]\nname = """\ntimezone = 1\n"""\ntimezone = "UTC"\n',
      { ...ZONE, value: 'UTC', replaces: 'UTC' },
      null,
    ],
    ['what no configuration may hold', '', { ...ZONE, value: 'Mars' }, null],
    ['what is no TOML', '[owner\n', ZONE, null],
  ] as const)('%s', (_what, before, edit, after) => {
    expect(withSetting(before, edit)).toBe(after)
  })

  test('escapes quotes and line breaks', () => {
    const edit = {
      table: 'persona',
      key: 'style',
      value: 'a "dry" \\ one\n[owner]\nname = 1',
      replaces: null,
    }
    expect(
      withSetting('', edit)
        ?.split('\n')
        .filter((line) => line.startsWith('[')),
    ).toEqual(['[persona]'])
  })

  test('adds a table, and removes it only as it was added', () => {
    const table = '[[models.providers]]\nname = "local"\nkind = "ollama"\nmodel = "m"\n'
    const added = withTable('# mine\n', table) ?? ''
    expect(added).toBe(`# mine\n\n${table}`)
    expect(withoutTable(added, table)).toBe('# mine\n')
    expect(withoutTable(added.replace('"m"', '"other"'), table)).toBeNull()
    expect(withTable('models = 1\n', table)).toBeNull()
  })
})

describe('answers', () => {
  test.each([
    ['Ada', { name: 'Ada', style: null }],
    [' Ada : dry and short ', { name: 'Ada', style: 'dry and short' }],
    ['Ada: says: little', { name: 'Ada', style: 'says: little' }],
    ['Ada:', { name: 'Ada', style: null }],
    ['', null],
    [': dry', null],
    ['A'.repeat(41), null],
    [`Ada: ${'x'.repeat(201)}`, null],
    ['$(reboot)', null],
    ['Ada: use sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789', null],
  ])('for a name: %j', (answer, said) => {
    expect(assistantIn(answer)).toEqual(said)
  })
  const ada = { name: 'Ada', style: null }
  test.each([
    ['Nora', { owner: 'Nora', assistant: null }],
    ['Nora von Berg, Ada', { owner: 'Nora von Berg', assistant: ada }],
    ['Nora, Ada: dry, and short', { owner: 'Nora', assistant: { name: 'Ada', style: 'dry, and short' } }],
    ['Ada: dry', { owner: null, assistant: { name: 'Ada', style: 'dry' } }],
    ['my name is Nora and your name is Ada', { owner: 'Nora', assistant: ada }],
    ['Ich heiße Nora', { owner: 'Nora', assistant: null }],
    ['Мария', { owner: 'Мария', assistant: null }],
    ['yes', null],
    ['who are you?', null],
    ['Nora, $(reboot)', null],
    ['Nora, sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789', null],
    ['', null],
  ])('for both names: %j', (answer, said) => {
    expect(namesGiven(answer)).toEqual(said)
  })
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['Berlin', 'Europe/Berlin'],
    ['Germany', 'Europe/Berlin'],
    ['Deutschland.', 'Europe/Berlin'],
    ['in Munich', 'Europe/Berlin'],
    ['Ich wohne in Wien', 'Europe/Vienna'],
    ['new york', 'America/New_York'],
    ['Portland, Oregon', 'America/Los_Angeles'],
    ['CET', 'Europe/Berlin'],
    ['EST', 'America/New_York'],
    ['UTC', 'UTC'],
    ['Springfield', null],
    ['Mars', null],
    ['', null],
    ['../../etc', null],
  ])('for a time zone: %j', (answer, zone) => {
    expect(zoneIn(answer)).toBe(zone)
  })
  test.each<readonly [string, boolean | null]>([
    ['yes', true],
    ['Y', true],
    ['no', false],
    ['Later', false],
    ['yes please', null],
    ['', null],
  ])('for yes or no: %j', (answer, said) => {
    expect(yesIn(answer)).toBe(said)
  })
})

describe('settings in a folder', () => {
  let path = ''
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'pfar-init-'))
  })
  afterEach(() => rmSync(path, { recursive: true, force: true }))

  const settingsIn = (wrote: Record<string, string>) =>
    createSettings(join(path, 'config.toml'), {
      of: (name) => wrote[name] ?? null,
      note(name, value) {
        if (value === null) delete wrote[name]
        else wrote[name] = value
      },
    })

  test('that the owner changed since are not overwritten', () => {
    const wrote: Record<string, string> = {}
    const settings = settingsIn(wrote)
    expect(settings.set('persona.name', 'Ada')).toBe(true)
    expect(settings.set('persona.name', 'Bea')).toBe(true)
    expect([settings.isOwn('persona.name', 'Bea'), settings.isOwn('persona.name', 'Cleo')]).toEqual([
      true,
      false,
    ])
    writeFileSync(join(path, 'config.toml'), '[persona]\nname = "Cleo"\n')
    expect(settings.set('persona.name', 'Dora')).toBe(false)
    expect(readFileSync(join(path, 'config.toml'), 'utf8')).toBe('[persona]\nname = "Cleo"\n')
    expect(wrote).toEqual({ 'persona.name': 'Bea' })
  })

  test('that cannot be written leave the file intact, and no draft beside it', () => {
    writeFileSync(join(path, 'config.toml'), '# mine\n')
    // As on a full disk: the draft cannot be created.
    const settings = createSettings(join(path, 'config.toml', 'none'), {
      of: () => null,
      note: () => undefined,
    })
    expect(settings.set('persona.name', 'Ada')).toBe(false)
    expect(readFileSync(join(path, 'config.toml'), 'utf8')).toBe('# mine\n')
  })

  test('with a model name from Ollama are escaped, whatever it contains', async () => {
    const name = 'tiny"\nbase_url = "https://models.example.com'
    const model = { name, bytes: 1_000_000, window: 32_768 }
    const input = { ...OLLAMA, list: async () => [model], add: async () => false }
    const step = modelStep({ settings: settingsIn({}), ...input })
    expect(await step.look()).toMatchObject({ state: 'due' })
    await step.take('yes')
    expect(parseTable(readFileSync(join(path, 'config.toml'), 'utf8'))).toEqual({
      models: { providers: [{ name: 'local', kind: 'ollama', model: name }] },
    })
  })

  test('without Ollama another model is offered: what was chosen is added, or asked for again, or left for later', async () => {
    const added: string[] = []
    const step = modelStep({
      ...{ ...OLLAMA, settings: settingsIn({}), list: async () => null },
      async add(service) {
        added.push(service)
        return service === 'anthropic'
      },
    })
    expect(await step.look()).toMatchObject({ state: 'due', usual: 'later' })
    const said = ['later', 'none at all', 'anthropic']
    const oks: boolean[] = []
    for (const answer of said) oks.push((await step.take(answer)).ok)
    expect([oks, added]).toEqual([
      [true, false, true],
      ['none at all', 'anthropic'],
    ])
  })

  test('are recorded privately, and a damaged record counts as none', () => {
    const folder = openStateFolder(path)
    if (!folder.ok) throw new Error('no folder')
    const record = { version: 1, finished: true, answered: { zone: 'UTC' }, wrote: {} } as const
    writeInitRecord(folder.value, record)
    expect(statSync(join(path, INIT_FILE)).mode & 0o777).toBe(0o600)
    expect(readInitRecord(folder.value)).toEqual({ ok: true, value: record })
    writeFileSync(join(path, INIT_FILE), '{')
    expect(readInitRecord(folder.value)).toMatchObject({ value: { finished: false, answered: {} } })
    chmodSync(join(path, INIT_FILE), 0o644)
    expect(readInitRecord(folder.value)).toMatchObject({ ok: false, reason: { code: 'storage_failed' } })
  })
})

describe('what was answered', () => {
  let path = ''
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'pfar-init-'))
  })
  afterEach(() => rmSync(path, { recursive: true, force: true }))

  const kept = () => {
    const folder = openStateFolder(path)
    const record = folder.ok ? readInitRecord(folder.value) : folder
    if (!folder.ok || !record.ok) throw new Error('no folder')
    return { folder: folder.value, keeper: initKeeper(folder.value, record.value) }
  }

  test('at any step is read again, so that a step more never begins it anew', () => {
    const context = createContext(SILENT, { PFAR_HOME: path })
    const steps = stepsOf(context, {
      ...{ options: { yes: true }, paths: statePaths({ PFAR_HOME: path }), asker: TAKES_DEFAULTS },
      ...{ folder: kept().folder, kept: kept().keeper },
    }).flatMap((step) => ('take' in step ? [step.name] : []))
    expect(steps).toContain('backup')
    const { keeper } = kept()
    for (const name of steps) keeper.keep(name, `said at ${name}`)
    const again = kept().keeper
    expect(steps.map((name) => again.said(name))).toEqual(steps.map((name) => `said at ${name}`))
  })

  test('asks nothing in the first conversation, once names were asked for and all is done', () => {
    const { folder, keeper } = kept()
    const seen: boolean[] = []
    for (const step of [() => undefined, () => keeper.keep('names', 'x'), keeper.finish, keeper.begin]) {
      step()
      seen.push(wasAsked(folder))
    }
    expect(seen).toEqual([false, false, true, false])
  })

  test.each([
    ['Nora, Ada: dry', ['Nora'], 'you are Nora, I am Ada: dry', '[persona]\nname = "Ada"\nstyle = "dry"\n'],
    ['Nora', ['Nora'], 'you are Nora, I am PFAR', '[persona]\nname = "PFAR"\n'],
    [
      'later',
      [],
      'I am PFAR; for your name, say "my name is …" whenever you like',
      '[persona]\nname = "PFAR"\n',
    ],
  ])('to the question of names: %s', async (answer, told, says, config) => {
    const { keeper } = kept()
    const owner: string[] = []
    const settings = createSettings(join(path, 'config.toml'), keeper)
    const nameOwner = async (name: string): Promise<boolean> => owner.push(name) > 0
    const step = namesStep({ settings, notes: keeper, nameOwner })
    const took = await step.take(answer)
    expect([took.ok, took.says, owner]).toEqual([true, says, told])
    // The record lies in plain: the owner's name is in their sealed file alone.
    expect(`${took.kept ?? took.says}${JSON.stringify(readInitRecord(kept().folder))}`).not.toContain('Nora')
    expect(parseTable(readFileSync(join(path, 'config.toml'), 'utf8'))).toEqual(parseTable(config))
  })

  test('to the question of names, that home could not keep, is asked for again', async () => {
    const { keeper } = kept()
    const settings = createSettings(join(path, 'config.toml'), keeper)
    const step = namesStep({ settings, notes: keeper, nameOwner: async () => false })
    expect(await step.take('Nora, Ada')).toMatchObject({ ok: false })
    expect(existsSync(join(path, 'config.toml'))).toBe(false)
    expect(await step.look()).toMatchObject({ state: 'due', usual: 'later' })
  })
})

const OLLAMA = { url: 'http://127.0.0.1:11434', memory: 8_000_000_000 }

describe('the order of questions', () => {
  const names = ['assistant', 'zone', 'key'] as const
  const stepsOf = (kept: string[]): readonly Step[] =>
    names.map((name) => ({
      ...{ name, title: name },
      look: async () => ({ state: 'due', question: `${name}?`, usual: 'usual' }),
      async take(answer) {
        if (answer === 'bad') return again('No.')
        kept.push(`${name}=${answer}`)
        return taken(answer)
      },
    }))

  const TOLD: Told = { title: 'chat', look: async () => ({ state: 'absent', says: 'by a command' }) }

  /** `said`: one answer after the other; null cancels. */
  async function ask(
    said: readonly (string | null)[],
    before: Record<string, string> = {},
    also: readonly Told[] = [],
  ) {
    const [kept, told, asked]: [string[], string[], string[]] = [[], [], []]
    const answers = {
      said: (step: string) => before[step] ?? null,
      keep(step: string, says: string) {
        before[step] = says
      },
    }
    const left = [...said]
    const asker = {
      async ask(question: string) {
        asked.push(/(\w+)\?/.exec(question)?.[1] ?? '')
        return left.shift() ?? null
      },
    }
    const ended = await runWizard({
      steps: [...also, ...stepsOf(kept).flatMap((step) => [step, ...also])],
      answers,
      asker,
      tell: (words) => void told.push(words),
    })
    return { kept, told, asked, ended, before }
  }

  test.each([
    ['Enter takes the usual answer', ['', '', ''], ['assistant=usual', 'zone=usual', 'key=usual'], true],
    [
      'back asks again',
      ['a', 'back', 'b', 'c', 'd'],
      ['assistant=a', 'assistant=b', 'zone=c', 'key=d'],
      true,
    ],
    [
      'back twice, and what came between stays',
      ['a', 'b', 'BACK', 'back', 'c', 'd'],
      ['assistant=a', 'zone=b', 'assistant=c', 'key=d'],
      true,
    ],
    ['back at the first', ['back', 'a', 'b', 'c'], ['assistant=a', 'zone=b', 'key=c'], true],
    ['a wrong answer', ['bad', 'a', 'b', 'c'], ['assistant=a', 'zone=b', 'key=c'], true],
    ['who leaves', ['a', null], ['assistant=a'], false],
  ] as const)('%s', async (_what, said, kept, ended) => {
    const ran = await ask(said)
    expect([ran.kept, ran.ended]).toEqual([kept, ended])
  })

  test('shows a step without a question, and "back" skips it', async () => {
    const ran = await ask(['a', 'back', 'b', 'c', 'd'], {}, [TOLD])
    expect([ran.asked, ran.ended]).toEqual([['assistant', 'zone', 'assistant', 'zone', 'key'], true])
    expect(ran.told.filter((line) => line === 'chat       by a command')).toHaveLength(5)
  })

  test('resumes where it was left, and shows what was answered', async () => {
    const { before } = await ask(['a', null])
    const { asked, told, ended } = await ask(['b', 'c'], before)
    expect([asked, ended]).toEqual([['zone', 'key'], true])
    expect(told[0]).toBe('assistant  a')
  })

  test('goes back to what was answered before a restart', async () => {
    const { asked } = await ask(['back', 'x', 'y', 'z'], { assistant: 'a' })
    expect(asked).toEqual(['zone', 'assistant', 'zone', 'key'])
  })
})
