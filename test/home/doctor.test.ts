/** What `pfar doctor` reports: which local model fits which purpose, and what is wrong with a provider, without quoting it. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkModel } from '../../kernel/features/models/model-check.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { adviseOn, pullCommand } from '../../sidecar/doctor/local-advice.ts'
import { lookAtMachine } from '../../sidecar/doctor/machine-look.ts'
import { createDoctorMethods } from '../../sidecar/doctor/model-look.ts'
import { edgeModelFindings, modelFindings } from '../../sidecar/doctor/model-words.ts'
import {
  backupFinding,
  containerFinding,
  edgeFindings,
  lineFindings,
  tunnelFinding,
} from '../../sidecar/doctor/surroundings-look.ts'
import type { EdgeHealth } from '../../sidecar/tunnel/edge-health.ts'
import { newFolder } from '../kit/folder.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'

const GB = 1_073_741_824
const MEMORY = 16 * GB
const model = (name: string, gigabytes: number, window: number | null) => ({
  name,
  bytes: gigabytes * GB,
  window,
})
const large = model('large', 40, 131_072)
const good = model('good', 5, 32_768)
const small = model('small', 2, 16_384)
const narrow = model('narrow', 8, 4_096)
const embed = model('embed', 1, 512)

const NO_OLLAMA = { url: 'http://127.0.0.1:1', models: null, tried: null, used: false, keepAlive: null }

describe('advice on local models', () => {
  it.each([
    ['none', [], null, ['Ollama has no model yet: `ollama pull qwen3:4b` gets one that fits this machine.']],
    ['the largest that fits', [small, good], 900, ['For plans and for answers: good.']],
    ['not one that is larger than the memory', [large, small], 900, ['For plans and for answers: small.']],
    [
      'a narrow window plans, another answers',
      [narrow, small],
      900,
      ['For plans: narrow.', 'For answers: small.'],
    ],
    [
      'a narrow window alone',
      [narrow],
      900,
      [
        'For plans: narrow.',
        'For answers every window is too small (8192 tokens are the least): `ollama pull qwen3:4b` gets one that fits this machine.',
      ],
    ],
    [
      'no window for a plan',
      [embed, model('unknown', 1, null)],
      null,
      [
        "Of what is there no model's window holds a plan, which takes 4096 tokens: `ollama pull qwen3:4b` gets one that fits this machine.",
      ],
    ],
    [
      'all too large',
      [large],
      null,
      [
        'Of what is there every model is too large for the memory of this machine: `ollama pull qwen3:4b` gets one that fits this machine.',
      ],
    ],
    [
      'a slow one, and a smaller one beside it',
      [good, small],
      12_400,
      ['For plans and for answers: good.', 'It took 12 s to say its name; small would be quicker.'],
    ],
    [
      'a slow one alone',
      [good, embed],
      12_400,
      ['For plans and for answers: good.', 'It took 12 s to say its name; a smaller model would be quicker.'],
    ],
  ])('%s', (_what, models, latency, said) => {
    expect(adviseOn({ models, memory: MEMORY, latency })).toEqual(said)
  })

  it.each([
    [4, 'ollama pull qwen3:1.7b'],
    [16, 'ollama pull qwen3:4b'],
    [64, 'ollama pull qwen3:8b'],
  ])('for %d GB: %s', (gigabytes, command) => {
    expect(pullCommand(gigabytes * GB)).toBe(command)
  })
})

describe('a failing provider', () => {
  it.each([
    ['its key', 'model_misconfigured', { status: 401 }, 'Its key is not accepted'],
    ['no right to it', 'model_misconfigured', { status: 403 }, 'Its key may not use this model'],
    ['its name', 'model_misconfigured', { status: 404 }, 'It knows no model of this name'],
    ['the request', 'model_misconfigured', { status: 400 }, 'It refuses the request as it is'],
    ['no money', 'model_misconfigured', { status: 429, rule: 'quota' }, 'Its account is used up'],
    ['no key', 'model_misconfigured', { rule: 'credential_missing' }, 'Its key is not in the vault'],
    ['something', 'model_misconfigured', { rule: 'stream' }, 'It refuses what it is asked'],
    ['too busy', 'model_overloaded', { status: 529 }, 'It is overloaded'],
    ['late', 'model_timeout', {}, 'It does not answer in time'],
    ['a page', 'model_garbled', {}, 'What answers there does not speak'],
    ['nothing there', 'model_unavailable', {}, 'It cannot be reached'],
    ['rest', 'model_resting', {}, 'It failed several times in a row'],
  ] as const)('%s', async (_what, code: ReasonCode, facts, said) => {
    const provider = { ...scriptedModel('big', () => ''), complete: async () => err(code, facts) }
    const world = createWorld({ models: [provider] })
    const check = await checkModel(world.powers, provider)
    const [finding] = modelFindings({ configured: [check], local: NO_OLLAMA, trouble: null }, MEMORY)
    expect(finding).toMatchObject({ part: 'model big', state: 'bad' })
    expect(finding?.says.startsWith(said)).toBe(true)
  })

  it('is not reported if it answers; its time is shown', async () => {
    const world = createWorld()
    const provider = scriptedModel('big', () => {
      world.clock.now += 1_250
      return 'PFAR'
    })
    const check = await checkModel(world.powers, provider)
    expect(check).toEqual({ model: 'big', locality: 'home', ms: 1_250, trouble: null })
  })
})

describe('the configuration of models', () => {
  const local = { ...NO_OLLAMA, models: [good] }
  it.each([
    [
      'a wrong setting',
      { local: NO_OLLAMA, trouble: { key: 'models.chain', problem: 'names a provider twice' } },
      'config.toml: models.chain names a provider twice.',
    ],
    ['none', { local: NO_OLLAMA, trouble: null }, 'No provider is set up, so `rules` plans and answers'],
    ['an Ollama that is not asked', { local, trouble: null }, 'Home does not ask it yet'],
    [
      'one that stays loaded as usual',
      { local: { ...local, used: true }, trouble: null },
      'stays loaded for half an hour',
    ],
    [
      'one that stays for long',
      { local: { ...local, used: true, keepAlive: 90 }, trouble: null },
      'stays loaded for 90 minutes',
    ],
    [
      'one that stays for ever',
      { local: { ...local, used: true, keepAlive: -1 }, trouble: null },
      'stays loaded for ever',
    ],
  ])('%s', (_what, look, said) => {
    const findings = modelFindings({ configured: [], ...look }, MEMORY)
    expect(findings.map(({ says }) => says).join('\n')).toContain(said)
  })
})

describe('the transcription server', () => {
  it.each([
    ['answers', true, 'ok', 'A server answers at http://127.0.0.1:8000/v1 (home).'],
    ['does not', false, 'bad', 'Nothing answers at http://127.0.0.1:8000/v1, which [speech] names'],
  ] as const)('%s', (_what, answers, state, says) => {
    const speech = { url: 'http://127.0.0.1:8000/v1', locality: 'home', answers } as const
    const found = modelFindings({ configured: [], local: NO_OLLAMA, trouble: null, speech }, MEMORY)
    expect(found.filter(({ part }) => part === 'speech')).toEqual([
      { part: 'speech', state, says: expect.stringContaining(says) },
    ])
  })
})

describe('the model for pictures', () => {
  const trouble = { code: 'model_misconfigured', status: 404, rule: null } as const
  it.each([
    ['answers', { sees: true }, 'ok', 'eyes answers (home, '],
    ['answers, of a server that says no more', { sees: null }, 'ok', 'eyes answers (home, '],
    ['takes no pictures', { sees: false }, 'bad', 'eyes answers, and takes no pictures'],
    ['is not there', { sees: null, trouble }, 'bad', 'eyes: It knows no model of this name'],
  ] as const)('%s', (_what, over, state, says) => {
    const vision = { model: 'eyes', locality: 'home', ms: 1_200, trouble: null, ...over } as const
    const found = modelFindings({ configured: [], local: NO_OLLAMA, trouble: null, vision }, MEMORY)
    expect(found.filter(({ part }) => part === 'vision')).toEqual([
      { part: 'vision', state, says: expect.stringContaining(says) },
    ])
  })
})

describe('the models of the edge', () => {
  const check = (model: string, locality: 'home' | 'edge' | 'cloud', answer: string | null) => ({
    ...{ model, locality, answer, expected: 'PFAR', passed: answer === 'PFAR' },
  })
  it.each([
    ['nothing but rules', [], 'edge models', 'note', 'home lends it none'],
    ['a model of home', [check('home/box', 'home', 'PFAR')], 'edge home/box', 'ok', 'over the tunnel'],
    [
      'one that home does not answer for',
      [check('home/box', 'home', null)],
      'edge home/box',
      'bad',
      'the link',
    ],
    ['a cloud', [check('claude', 'cloud', 'Somebody')], 'edge claude', 'ok', '(cloud)'],
    ['a cloud that fails', [check('claude', 'cloud', null)], 'edge claude', 'bad', 'MODELS'],
  ] as const)('%s', (_, checks, part, state, says) => {
    const findings = edgeModelFindings([...checks, check('rules', 'edge', 'PFAR')])
    expect(findings).toEqual([{ part, state, says: expect.stringContaining(says) }])
    expect(JSON.stringify(findings)).not.toContain('Somebody')
  })
})

describe('the Ollama server that is home’s own', () => {
  const look = async (base: string) => {
    const parsed = parseConfig(
      `[[models.providers]]\nname = "a"\nkind = "ollama"\nmodel = "m"\nbase_url = "${base}"\n`,
    )
    if (!parsed.ok) throw new Error(parsed.reason.code)
    const transport = { send: async () => err('network_failed') }
    const { powers } = createWorld()
    const input = {
      powers,
      memory: MEMORY,
      transport: () => transport,
      config: parsed.value.models,
      speech: null,
      vision: null,
      accounts: async () => [],
    }
    const looked = await createDoctorMethods(input)['doctor']?.({ ollama: null })
    const { local } = (looked?.ok === true ? looked.value : null) as { local: { url: string; used: boolean } }
    return [local.url, local.used]
  }
  it.each([
    ['of this machine', 'http://127.0.0.1:1234', 'http://127.0.0.1:1234', true],
    ['of the network at home', 'http://192.168.1.9:11434', 'http://192.168.1.9:11434', true],
    ['of a company', 'https://ollama.example', 'http://127.0.0.1:11434', false],
  ])('one %s', async (_, base, url, used) => {
    expect(await look(base)).toEqual([url, used])
  })
})

describe('the surroundings of home', () => {
  const NOW = 1_790_000_000_000
  const USUAL = { development: false, former: false }
  const HERE = { here: true, pending: 0, failedAt: null, said: null }
  const edge = (other: Partial<EdgeHealth>) =>
    edgeFindings({ at: NOW, troubles: [], bot: null, ...other }, NOW)
  const ago = (seconds: number) => NOW / 1_000 - seconds
  it.each([
    ['a clock that agrees', edge({ at: NOW + 29_000 }), ['clock ok: It agrees']],
    ['a slow clock', edge({ at: NOW + 45_000 }), ['clock bad: It is 45 s slow']],
    ['a fast clock', edge({ at: NOW - 45_000 }), ['clock bad: It is 45 s fast']],
    [
      'a wrong budget',
      edge({ troubles: ['BUDGET.currency'] }),
      [
        'clock ok',
        'edge BUDGET.currency bad: This setting is wrong there, so that the edge asks no model of its own: wrangler.toml',
      ],
    ],
    ['wrong origins', edge({ troubles: ['MODEL_ORIGINS.0'] }), ['clock ok', 'edge MODEL_ORIGINS.0 bad']],
    [
      'a wrong key',
      edge({ troubles: ['MODEL_KEY_A'] }),
      [
        'clock ok',
        'edge MODEL_KEY_A bad: This setting is wrong there, so that the edge asks no model of its own: wrangler secret put MODEL_KEY_A',
      ],
    ],
    [
      'a wrong bot',
      edge({ troubles: ['TELEGRAM.owner'] }),
      [
        'clock ok',
        'edge TELEGRAM.owner bad: This setting is wrong there, so that it has no bot: `pfar channel connect telegram`',
      ],
    ],
    ['a bot', edge({ bot: HERE }), ['clock ok', 'telegram ok: It brings messages to this edge; 0 wait']],
    [
      'a webhook elsewhere',
      edge({ bot: { ...HERE, here: false } }),
      ['clock ok', 'telegram bad/webhook: Telegram brings nothing to this edge'],
    ],
    [
      'messages that wait',
      edge({ bot: { ...HERE, pending: 20, failedAt: ago(60), said: 'HTTP 500' } }),
      ['clock ok', 'telegram bad: 20 messages wait at Telegram. Its last try failed: HTTP 500'],
    ],
    [
      'a failure of late',
      edge({ bot: { ...HERE, failedAt: ago(60), said: 'HTTP 500' } }),
      ['clock ok', 'telegram note: It brings messages; 0 wait. Its last try failed: HTTP 500'],
    ],
    [
      'a failure long ago',
      edge({ bot: { ...HERE, failedAt: ago(3_601), said: 'HTTP 500' } }),
      ['clock ok', 'telegram ok'],
    ],
    [
      'a token that was taken back',
      edge({ bot: { trouble: 'credential_rejected' } }),
      ['clock ok', 'telegram bad: Telegram does not know its token any more'],
    ],
    [
      'a Telegram that is away',
      edge({ bot: { trouble: 'remote_unavailable' } }),
      ['clock ok', 'telegram note: Telegram could not be asked (remote unavailable)'],
    ],
    [
      'a bot that works, and shows its questions itself',
      edge({ bot: HERE, waiting: 2 }),
      ['clock ok', 'telegram ok: It brings messages to this edge; 0 wait'],
    ],
    [
      'questions that it does not show',
      edge({ bot: { trouble: 'credential_rejected' }, waiting: 2 }),
      [
        'clock ok',
        'telegram bad: Telegram does not know its token any more',
        'questions note: 2 wait for your answer at the edge: `pfar approvals --line open`',
      ],
    ],
    ['a home alone', [tunnelFinding({ edge: null, tunnel: 'down' })], ['tunnel note: Home dials no edge']],
    ['no bot at home, and no acknowledgement', lineFindings({}), []],
    ['a bot at home that hears', lineFindings({ telegram: 'listens' }), ['private telegram ok']],
    ['an app at Slack that hears', lineFindings({ slack: 'listens' }), ['private slack ok']],
    [
      'a bot whose service has not answered yet',
      lineFindings({ telegram: 'connects' }),
      ['private telegram bad: Its service has not answered home yet.'],
    ],
    [
      'one that does not',
      lineFindings({ slack: 'does not hear: Off.' }),
      ['private slack bad: Home does not hear: Off.'],
    ],
    [
      'a bot at home with a conflict',
      lineFindings({ telegram: 'does not hear: Conflict.' }),
      ['private telegram bad: Home does not hear: Conflict.'],
    ],
    [
      'one bot for both lines',
      lineFindings({ bothLines: 'telegram, acknowledged 2026-11-20, until 2027-11-20' }),
      ["both lines note: Home may answer you through the edge's bot (telegram, acknowledged 2026-11-20"],
    ],
    ['a link that is up', [tunnelFinding({ edge: 'https://e.test', tunnel: 'up' })], ['tunnel ok']],
    [
      'one that only its owner can mend',
      [tunnelFinding({ edge: 'https://e.test', tunnel: 'down', tunnelSays: 'Revoked.' })],
      ['tunnel bad: Home is not connected to https://e.test. Revoked.'],
    ],
    [
      'no backup key',
      [backupFinding({ keyed: false, shelved: true, newest: null, ...USUAL }, NOW)],
      ['backups note: None are made yet: `pfar backup init`'],
    ],
    [
      'a disk that is away',
      [backupFinding({ keyed: true, shelved: false, newest: null, ...USUAL }, NOW)],
      ['backups bad: Their folder is not there'],
    ],
    [
      'no backup yet',
      [backupFinding({ keyed: true, shelved: true, newest: null, ...USUAL }, NOW)],
      ['backups bad/backup: There is none yet'],
    ],
    [
      'one of today',
      [backupFinding({ keyed: true, shelved: true, newest: NOW - 93_600_000, ...USUAL }, NOW)],
      ['backups ok: The last one is 26 hours old'],
    ],
    [
      'one that is overdue',
      [backupFinding({ keyed: true, shelved: true, newest: NOW - 93_600_001, ...USUAL }, NOW)],
      ['backups bad/backup: The last one is 26 hours old: `pfar backup now`'],
    ],
    [
      'no backup key under a development key',
      [backupFinding({ keyed: false, shelved: true, newest: null, development: true, former: false }, NOW)],
      ['backups note: None are made yet: `pfar key init`, then `pfar backup init`'],
    ],
    [
      'backups under a development key',
      [backupFinding({ keyed: true, shelved: true, newest: NOW, development: true, former: false }, NOW)],
      ['backups bad: They open only with the dev.key of this machine'],
    ],
    [
      'one under a former master key',
      [backupFinding({ keyed: true, shelved: true, newest: NOW, development: false, former: true }, NOW)],
      ['backups bad/backup: The last one was made under a former master key'],
    ],
    ['no podman', [containerFinding(false)], ['containers note: podman is not there; nothing needs it yet']],
  ] as const)('%s', (_what, findings, said) => {
    const lines = findings.map(
      ({ part, state, says, mend }) => `${part} ${state}${mend === undefined ? '' : `/${mend}`}: ${says}`,
    )
    expect(lines).toEqual(said.map((line) => expect.stringContaining(line)))
    expect(lines).toHaveLength(said.length)
  })
})

describe('the machine', () => {
  const states = async (folder: string, version?: string) =>
    (await lookAtMachine(folder, {}, version)).map(({ part, state, says }) => `${part} ${state}: ${says}`)

  it('without a state folder does not get one by the check', async () => {
    const folder = join(newFolder('doctor'), 'none')
    expect((await states(folder))[1]).toMatch(/^state folder note: .* is not there yet/)
    expect((await states(folder))[1]).toMatch(/is not there yet/)
  })

  it('with an old Node is told which version is needed', async () => {
    expect((await states(newFolder('doctor'), '20.1.0'))[0]).toMatch(
      /^node bad: Node 20\.1\.0 is too old: PFAR needs 22/,
    )
  })

  it('with a key that others may read is told which, and nothing is changed', async () => {
    const folder = newFolder('doctor')
    writeFileSync(join(folder, 'device.key'), 'x')
    chmodSync(join(folder, 'device.key'), 0o644)
    expect((await states(folder))[1]).toMatch(/^state folder bad: Others may read device\.key/)
    expect((await states(folder))[1]).toMatch(/device\.key/)
  })
})
