/** A declaration of a write that only adds a text: it has a target that is known by an id, and needs no more than a text. */
import { expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'

const notion = ((): ToolManifest => {
  const found = TOOL_MANIFESTS.find(({ name }) => name === 'notion')
  if (found === undefined) throw new Error('notion')
  return found
})()
const ADDS = { to: 'page', text: 'text', by: 'id', name: 'name' }
const withAppend = (change: Partial<ActionManifest>): ToolManifest => ({
  ...notion,
  actions: notion.actions.map((action) =>
    action.id === 'notion.append' ? { ...action, ...change } : action,
  ),
})

it('is taken as it is shipped', () => {
  expect(createRegistry([notion]).actions.get('notion.append')?.adds).toEqual(ADDS)
})

it.each<[string, Partial<ActionManifest>, RegExp]>([
  ['to no argument', { adds: { ...ADDS, to: 'where' } }, /where names no target/],
  ['to what is no destination', { adds: { ...ADDS, to: 'text' } }, /text names no target/],
  ['what is no text', { adds: { ...ADDS, text: 'as' } }, /as is no text/],
  ['to what is known by its name', { adds: { ...ADDS, by: 'name' } }, /no id and name/],
  ['what is always asked about', { asks: 'always' }, /has no grant/],
])('is refused where it adds %s', (_, change, says) => {
  expect(() => createRegistry([withAppend(change)])).toThrow(says)
})
