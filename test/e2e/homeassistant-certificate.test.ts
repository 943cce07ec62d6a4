/**
 * An installation over https with a certificate of its own making, as its owner has it: nothing of it is taken until the fingerprint was confirmed at a
 * terminal, and once it shows another one it is told nothing, which is said (L-12, R-27).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { houseAnswer, houseState, stateOf, TOKEN } from '../fakes/homeassistant-server.ts'
import { newCertificate, type ServedWithTls, serveWithTls } from '../kit/certificate.ts'
import { onTerminal } from './keys-bench.ts'
import { createBench } from './terminal-bench.ts'

const bench = createBench()
const state = houseState()
state.states.push(
  stateOf('sensor.bedroom_temperature', '21.5', {
    ...{ device_class: 'temperature', unit_of_measurement: '°C', friendly_name: 'Bedroom Temperature' },
  }),
)
const [first, second] = [newCertificate(), newCertificate()]
let served: ServedWithTls

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''
const config = (): string => readFileSync(join(bench.folder, 'config.toml'), 'utf8')
const restart = async (): Promise<void> => {
  await bench.stop()
  await bench.start('--no-demo', '--only', 'home')
}

async function typed(command: string, answers: readonly (readonly [RegExp, string])[]): Promise<string> {
  const env = { PFAR_HOME: bench.folder, NO_COLOR: '1' }
  const ran = onTerminal(`scripts/pfar.mjs connect homeassistant ${command}`, env, answers)
  await ran.ended
  return ran.shown().replaceAll('\r', '')
}

const asked = (answer: string) => [[/Take it\? Type yes: $/, answer]] as const

beforeAll(async () => {
  served = await serveWithTls(houseAnswer(state), first)
  writeFileSync(join(bench.folder, 'config.toml'), '[owner]\nname = "Ada"\n', { mode: 0o600 })
  await bench.start('--no-demo', '--only', 'home')
})
afterAll(async () => {
  await bench.stop()
  await bench.remove()
  await served.close()
})

test('its fingerprint is shown, and without a yes nothing is written', async () => {
  const shown = await typed(served.origin, asked('no'))
  expect(shown).toContain(`Its SHA-256 fingerprint is\n  ${first.fingerprint}\n`)
  expect(shown).toContain(`It is taken for ${served.origin} alone`)
  expect(shown).toContain('Nothing was written.')
  const other = await bench.pfar(
    ...['connect', 'homeassistant', served.origin, '--fingerprint', second.fingerprint],
  )
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('not the one that you typed') })
  expect(config()).not.toContain('services')
})

test('with a yes it is written for that address, and a home that runs takes a right token over it', async () => {
  const shown = await typed(served.origin, asked('yes'))
  expect(shown).toContain(
    `Home Assistant is at ${served.origin} from now on. Next: pfar connect homeassistant`,
  )
  expect(config()).toContain(
    `[services.homeassistant]\nfingerprint = "${first.fingerprint}"\nbase_url = "${served.origin}"\n`,
  )
  const connected = await typed('--allow-development-key', [[/Credential for homeassistant: $/, TOKEN]])
  expect(connected).toContain('Home Assistant is connected')
  expect(await reply('how warm is the bedroom?')).toMatch(/^Bedroom Temperature: 21\.5 °C\./)
})

test('once it shows another, it is told nothing, and that is said', async () => {
  served.shows(second)
  const before = state.asked.length
  expect(await reply('how warm is the bedroom?')).toContain(
    'It shows another certificate than the one that you confirmed, so I told it nothing.',
  )
  expect(state.asked).toHaveLength(before)
})

test('a renewed one is taken once it was confirmed, and the one before is not any more', async () => {
  const shown = await typed(served.origin, asked('yes'))
  expect(shown).toContain(`That is not the one that you confirmed before, which was\n  ${first.fingerprint}`)
  expect(config()).toContain(second.fingerprint)
  expect(config()).not.toContain(first.fingerprint)
  expect(await reply('how warm is the bedroom?')).toMatch(/^Bedroom Temperature: 21\.5 °C\./)
  served.shows(first)
  expect(await reply('how warm is the bedroom?')).toContain('another certificate')
})

test('without a confirmed one it is told nothing either', async () => {
  writeFileSync(join(bench.folder, 'config.toml'), config().replace(/^fingerprint = .*$/m, ''))
  await restart()
  const before = state.asked.length
  expect(await reply('how warm is the bedroom?')).toContain('a certificate that nobody vouches for')
  expect(state.asked).toHaveLength(before)
})
