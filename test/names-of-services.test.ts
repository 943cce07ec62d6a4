/**
 * Which files name a chat service (DESIGN §9): its packages in integrations/channels and integrations/tools, and beside them these few, each with its reason. The
 * kernel names none as a channel; what its guards must recognise is listed, too. A name that is put together to get past this test is a fault.
 */
import { expect, test } from 'vitest'
import { readTree } from '../scripts/source-check.ts'

const PLACES = /^(?:kernel|integrations|durable-objects|worker|sidecar)\/.*\.ts$/

/** Of a service that is a tool, too, whose folder of that name is its own. */
const OF_A_TOOL = {
  'integrations/tools/index.ts': 'its line in the list of tools',
  'integrations/tools/declared.ts': 'generated from that list',
  'integrations/tools/home.ts': 'generated from that list',
  'integrations/tools/forms.ts': 'generated from that list',
}

/** By service: files outside its own folder, and why each must say its name. */
const ALLOWED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  telegram: {
    'integrations/channels/index.ts': 'its line in the list of channels',
    'integrations/channels/home.ts': 'its line in the list of home',
    'integrations/channels/edge.ts': 'its line in the list of the edge',
  },
  slack: {
    'integrations/channels/index.ts': 'its line in the list of channels',
    'integrations/channels/home.ts': 'its line in the list of home',
    ...OF_A_TOOL,
    'integrations/tools/rotating-services.ts': 'one line in the list of services whose tokens rotate',
    'integrations/tools/oauth-token.ts': 'the page that names the codes of a refused renewal',
    'kernel/wording/guard/token-shapes.ts': 'the guard knows tokens by their shapes, and says whose one is',
    'kernel/wording/guard/addresses.ts': 'the guard knows addresses by their schemes',
  },
  whatsapp: {
    'integrations/channels/index.ts': 'people say its name, and are told that there is no such channel yet',
    'kernel/wording/guard/addresses.ts': 'the guard knows addresses by their schemes',
  },
}

test.each(Object.entries(ALLOWED))(
  '%s is named by its package and the listed files alone',
  (name, allowed) => {
    const found = [...readTree()]
      .filter(
        ([path]) => PLACES.test(path) && !new RegExp(`^integrations/(?:channels|tools)/${name}/`).test(path),
      )
      .filter(([, text]) => text.toLowerCase().includes(name))
      .map(([path]) => path)
      .sort()
    expect(found).toEqual(Object.keys(allowed).sort())
  },
)

/**
 * Services that are tools alone: the price of one is its folder and its line. What says a name beside these says it of something else, with its reason. Comments
 * may give one as an example; phrases may send a request to, or keep one from, another tool.
 */
const TOOLS_ALONE = [
  'github',
  'notion',
  'bluesky',
  'moltbook',
  'fireflies',
  'twitter',
  'oura',
  'homeassistant',
]
const GENERATED = Object.keys(OF_A_TOOL)

/** Where code says such a name, and why. */
const SAID_ELSEWHERE: Readonly<Record<string, string>> = {
  'kernel/flow/provenance.ts: github':
    'the table of the specification (A-10 and on) names the kinds of origins',
  'kernel/flow/provenance.ts: notion':
    'the table of the specification (A-10 and on) names the kinds of origins',
  'kernel/wording/guard/secrets.ts: github': 'the guard knows tokens by their shapes',
  'kernel/wording/guard/token-shapes.ts: github':
    'the guard knows tokens by their shapes, and says whose one is',
  'kernel/wording/guard/token-shapes.ts: notion':
    'the guard knows tokens by their shapes, and says whose one is',
  'kernel/directives/ownership.ts: github': 'the owner’s file on code goes with tools of that family (N-04)',
  'sidecar/config/literal-secret.ts: github': 'a token in a file of settings is known by its shape',
  'integrations/extractors/learned/own-phrases.ts: twitter':
    'where nothing can be posted, which is said at once',
  'integrations/tools/oauth-services.ts: oura': 'one line in the list of services that are signed in to',
  'integrations/models/rules/planner.ts: oura': 'readings of the past have no later time',
  'integrations/tools/health/sources.ts: oura': 'whose days are stored among those of other sources',
  'integrations/tools/health/sources.ts: homeassistant': 'whose days are stored among those of other sources',
}

/** Templates whose subject the service is: their file bears its name, or they are told to write there. */
const TEMPLATES_OF_A_SERVICE = /^templates\/(?:jobs|tasks)\/[a-z_]+\.toml$/

test('a service that is a tool is named by its folder, its line, and what is listed', () => {
  const found = [...readTree()]
    .filter(
      ([path]) => PLACES.test(path) && !/^integrations\/tools\/[a-z]+\/(?:phrases|typed)\.ts$/.test(path),
    )
    .filter(([path]) => !GENERATED.includes(path))
    .flatMap(([path, text]) => {
      const code = withoutComments(text).toLowerCase()
      return TOOLS_ALONE.filter((name) => !path.startsWith(`integrations/tools/${name}/`))
        .filter((name) => new RegExp(`(?<![a-z])${name}(?![a-z])`).test(code))
        .map((name) => `${path}: ${name}`)
    })
  expect(found.sort()).toEqual(Object.keys(SAID_ELSEWHERE).sort())
})

test('no prompt and no directive names one', () => {
  const found = [...readTree()]
    .filter(([path]) => path.startsWith('templates/') && !TEMPLATES_OF_A_SERVICE.test(path))
    .filter(([, text]) => TOOLS_ALONE.some((name) => new RegExp(`\\b${name}\\b`, 'i').test(text)))
  expect(found.map(([path]) => path)).toEqual([])
})

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

test('no file builds a service’s name out of pieces', () => {
  const pieces = /['"`](?:tele|sla|whats)['"`]\s*\+|\[\s*['"`](?:tele|sla|whats)['"`]\s*,/i
  const found = [...readTree()].filter(([path, text]) => PLACES.test(path) && pieces.test(text))
  expect(found.map(([path]) => path)).toEqual([])
})
