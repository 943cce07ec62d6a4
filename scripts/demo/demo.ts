/**
 * Process of the demo workspace. Prints the addresses of its two servers as one JSON line on stdout. Its data is lost when it
 * stops. Run by main.js.
 */
import { openDemo } from './place.ts'

const [timezone = 'UTC', googlePort = '', pagesPort = ''] = process.argv.slice(2)
void main()

async function main(): Promise<void> {
  const demo = await openDemo({
    now: Date.now(),
    timezone,
    googlePort: Number(googlePort),
    pagesPort: Number(pagesPort),
  })

  process.once('SIGTERM', async () => {
    await demo.close()
    process.exit(0)
  })

  process.stdout.write(`${JSON.stringify(demo.place)}\n`)
}
