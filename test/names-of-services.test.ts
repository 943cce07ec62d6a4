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
    'durable-objects/principal/template-files.ts':
      'a task template bears its name, and names of templates are frozen',
  },
  slack: {
    'integrations/channels/index.ts': 'its line in the list of channels',
    'integrations/channels/home.ts': 'its line in the list of home',
    ...OF_A_TOOL,
    'kernel/wording/guard/token-shapes.ts': 'the guard knows tokens by their shapes, and says whose one is',
    'kernel/wording/guard/addresses.ts': 'the guard knows addresses by their schemes',
  },
  whatsapp: {
    'integrations/channels/index.ts': 'people say its name, and are told that there is no such channel yet',
    'durable-objects/principal/template-files.ts':
      'a task template bears its name, and names of templates are frozen',
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

test('no file builds a service’s name out of pieces', () => {
  const pieces = /['"`](?:tele|sla|whats)['"`]\s*\+|\[\s*['"`](?:tele|sla|whats)['"`]\s*,/i
  const found = [...readTree()].filter(([path, text]) => PLACES.test(path) && pieces.test(text))
  expect(found.map(([path]) => path)).toEqual([])
})
