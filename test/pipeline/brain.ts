/** A world whose owner has directive files, for the tests of these files. Must not stand in for any policy. */

import { seedDirectives } from '../../kernel/features/directives/directive-keeping.ts'
import { createDirectiveService } from '../../kernel/features/directives/directive-service.ts'
import { type Directives, directivesFor } from '../../kernel/features/directives/directives.ts'
import type { DirectivesPort, Edit, Written } from '../../kernel/features/directives/port.ts'
import { insideOf, type Labeled } from '../../kernel/flow/labeled.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { Task } from '../../kernel/task/task.ts'
import { readBrainTemplates } from '../../sidecar/config/home-texts.ts'
import { createWorld, type World, type WorldOptions } from './world.ts'

export const ME = { principal: 'principal:owner', sink: 'sink:terminal:owner' } as const

export interface BrainWorld extends World {
  readonly desk: DirectivesPort
  /** Text as it stands now, or the reason why there is none. */
  text(name: string): Promise<string>
  /** Writes a whole text over the newest version. */
  write(name: string, text: string, more?: Partial<Edit>): Promise<Result<Written>>
  append(name: string, line: string): Promise<Result<Written>>
  taskOf(words: string, quoted?: readonly string[]): Promise<Task>
}

export async function brainWorld(options: WorldOptions = {}): Promise<BrainWorld> {
  const world = createWorld(options)
  await seedDirectives(world.powers, readBrainTemplates)
  const desk = createDirectiveService(world.powers)
  const write: BrainWorld['write'] = async (name, text, more = {}) => {
    const now = await desk.show(ME, name, null)
    const replaces = now.ok ? now.value.version : 0
    return desk.edit(ME, { name, text, replaces, cleanup: false, message: 'm1', ...more })
  }
  const text = async (name: string): Promise<string> => {
    const shown = await desk.show(ME, name, null)
    return shown.ok ? shown.value.text : shown.reason.code
  }
  return {
    ...world,
    ...{ desk, text, write },
    append: async (name, line) => write(name, `${await text(name)}${line}\n`),
    taskOf: async (words, quoted = []) => {
      const task = world.disk.store.loadTask(await world.say(words, undefined, quoted))
      if (task === null) throw new Error('no task')
      return task
    },
  }
}

export function own(owns: string, mode: string, body: string): string {
  return `---\nowns: ${owns}\nmode: ${mode}\n---\n${body}\n`
}

/** What a prompt would take along, opened by the test. */
export async function taken(world: World, task: Task) {
  const found = await directivesFor(world.powers, task)
  const names = (files: Directives['always']): readonly string[] => files.map((file) => insideOf(file).name)
  return found === null
    ? null
    : {
        always: names(found.always),
        attached: names(found.attached),
        index: found.index === null ? [] : insideOf(found.index),
        whole: [...found.always, ...found.attached].map((file) => insideOf(file).text).join('\n'),
        labels: [
          ...found.always,
          ...found.attached,
          ...(found.index === null ? [] : [found.index]),
        ] as Labeled[],
      }
}

export function codeOf(result: Result<unknown>): string | null {
  return result.ok ? null : result.reason.code
}
