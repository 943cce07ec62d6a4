/** `brain.list`: what directive files there are, and when each comes into a prompt (O-09). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { FILE, fileWords } from './shape.ts'

export const listDirectives = defineOperation({
  name: 'brain.list',
  summary: 'your directive files, and when each comes into a prompt',
  place: 'home',
  effect: 'read',
  released: true,
  args: {},
  result: list(FILE),
  ports: ['directives'],
  slash: 'brain',
  run: async ({ directives }, _, caller) => ok(await directives.list(caller)),
  text: (files) => (files.length === 0 ? 'There is no file yet.' : files.map(fileWords).join('\n')),
})
