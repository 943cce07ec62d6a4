import { randomBytes } from 'node:crypto'
import { writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import WebSocket from 'ws'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { bundle } from './runtime.ts'
import { startWorld } from './scripted-world.ts'
const world = await startWorld()
const made = await bundle({ config: 'wrangler.toml', entry: 'test/fakes/worker/index.ts' })
const { workerOptions } = unstable_getMiniflareWorkerOptions('./wrangler.toml')
const key = () => randomBytes(32).toString('base64url')
const modules = readdirSync(made.folder).filter(n=>n.endsWith('.js')||/\.(sql|toml|md)$/.test(n)).filter(n=>n!=='README.md').sort((a,b)=>Number(b.endsWith('.js'))-Number(a.endsWith('.js'))).map(n=>({type:n.endsWith('.js')?'ESModule':'Text',path:join(made.folder,n)}))
const mf = new Miniflare(convertV4MiniflareOptions({ host:'127.0.0.1',port:0,cf:false,telemetry:{enabled:false},inspectorPort:9777,unsafeObservability:false, workers:[{...workerOptions,name:'bench',modulesRoot:made.folder,modules,bindings:{...(workerOptions.bindings as object),DEVICE_KEYS:'[]',EDGE_SEAL_KEY:key(),EDGE_TOKEN_KEY:key(),EDGE_NAME_KEY:key(),LOCAL_ORIGINS:'[]',OWNER_TIMEZONE:'UTC',FAKE_MODEL_URL:world.origin+'/model',FAKE_DELIVER_URL:world.origin+'/deliver'}}] } as never))
const url = await mf.ready
const send = async (user: string) => { const a = world.delivered(user); await (await fetch(url.origin+'/fake/'+user,{method:'POST',body:JSON.stringify({id:user+'/'+randomBytes(5).toString('hex'),text:'hello'})})).arrayBuffer(); await a }
for (let i=0;i<100;i++) await send('a')
const list = await (await fetch('http://127.0.0.1:9777/json')).json() as any[]
const ws = new WebSocket(list[0].webSocketDebuggerUrl)
await new Promise(r=>ws.once('open',r))
let n=0; const pend=new Map<number,(v:any)=>void>()
ws.on('message',d=>{const m=JSON.parse(String(d)); if(m.id&&pend.has(m.id)) {pend.get(m.id)!(m.result);pend.delete(m.id)}})
const call=(method:string,params={})=>new Promise<any>(r=>{const id=++n;pend.set(id,r);ws.send(JSON.stringify({id,method,params}))})
await call('Profiler.enable'); await call('Profiler.setSamplingInterval',{interval:200}); await call('Profiler.start')
for (let i=0;i<300;i++) await send('a')
const {profile}=await call('Profiler.stop')
writeFileSync('/tmp/edge.cpuprofile',JSON.stringify(profile)); writeFileSync('/tmp/bundlepath',made.folder)
await mf.dispose(); process.exit(0)
