/** Declares `pfar http`. No option takes a key. Loads the work on demand. Listed in index.ts. */
import { groupOf, nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

interface Labelled {
  readonly label?: string
}

interface Allowing extends Labelled {
  readonly key?: string
}

interface Saving extends Labelled {
  readonly field: readonly string[]
}

const LABEL = 'who may see its answers: public, internal or sensitive (if left out)'
const HOST = 'such as api.example.com, or http://192.168.1.20:8123 for one of your own network'

export const HTTP: LocalCommand = {
  names: ['http list', 'http allow', 'http save', 'http remove'],
  why: 'terminal',
  reason: 'writes the file of a home that may be stopped, without a card; a chat says `webservices`',
  add: (program, run) => {
    const http = groupOf(program, ['http']).description('web services without a tool of their own')
    http
      .command('list')
      .description('the hosts that you named and the requests that you saved')
      .action(async () => {
        const { listHttp } = await import('../commands/http-command.ts')
        await run(listHttp)
      })
    http
      .command('allow')
      .argument('<host>', HOST, nonEmpty)
      .description('name a host and say who may see its answers')
      .option('--label <label>', LABEL, nonEmpty)
      .option(
        '--key <form>',
        'how its key is sent: key, password, or a header such as X-Api-Key; the key itself is asked for by `pfar connect`',
        nonEmpty,
      )
      .action(async (host: string, options: Allowing) => {
        const { allowHost } = await import('../commands/http-command.ts')
        await run((context) => allowHost(context, { host, ...options }))
      })
    http
      .command('save')
      .argument('<name>', 'what you will ask for, such as office-temp', nonEmpty)
      .argument('<address>', 'its whole address; it is read, never written to', nonEmpty)
      .description('save a request by a name')
      .option(
        '--field <field>',
        'a value of its JSON and its kind: temperature:number, seen=sensors.0.at:date, door=state:open|closed; kinds: number, date, boolean, text; several times',
        (value: string, before: readonly string[]) => [...before, value],
        [] as readonly string[],
      )
      .option('--label <label>', LABEL, nonEmpty)
      .action(async (name: string, address: string, options: Saving) => {
        const { saveRequest } = await import('../commands/http-command.ts')
        await run((context) => saveRequest(context, { name, address, ...options }))
      })
    http
      .command('remove')
      .argument('<name>', 'a request that you saved, or a host that you named', nonEmpty)
      .description('forget a saved request or a host')
      .action(async (name: string) => {
        const { removeHttp } = await import('../commands/http-command.ts')
        await run((context) => removeHttp(context, { name }))
      })
  },
}
