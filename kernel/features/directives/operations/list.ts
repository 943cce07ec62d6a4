/** `brain.list`: the directive files, and when each is included in a prompt (O-09). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { list } from '../../../operations/shape.ts'
import { FILE, fileWords } from './shape.ts'

export const listDirectives = defineOperation({
  name: 'brain.list',
  place: 'home',
  effect: 'read',
  released: true,
  args: {},
  result: list(FILE),
  ports: ['directives'],
  slash: 'brain',
  run: async ({ directives }, _, caller) => ok(await directives.list(caller)),
  text: (files, view) =>
    files.length === 0 ? view.tell('directives.none') : files.map((file) => fileWords(file, view)).join('\n'),
})
