/** Code that runs, in the manner of what models write; a type checker that is too sure of itself complains of much of it. */
export const runningCode: readonly string[] = [
  `from enum import Enum
from datetime import date, datetime
class City(Enum):
    OSLO = 'Oslo'
class Size(Enum):
    LARGE = 3
class Exact(Enum):
    YES = True
def ask(city: City, size: Size, exact: Exact):
    return tools.profile(name=city, size=size, exact=exact)
tools.profile(City.OSLO)
today = date.today()
tools.profile(name=today)
tools.profile(name=datetime.now())`,

  `p = tools.profile('Ada')
p['age'] + 1
key = input()
p[key] + 1
p['name'].upper()`,

  `import re
m = re.search(r'(\\d+)', 'a 12')
if m: print(int(m.group(1)))
print(m.group(0), m[1])`,

  `counts = {}
for w in 'a b a'.split():
    counts[w] = counts.get(w, 0) + 1
best = max(counts, key=counts.get)
sorted(counts.items(), key=lambda kv: -kv[1])[:3]`,

  `from collections import Counter, defaultdict
c = Counter('abc')
c['z'] += 1.5
g = defaultdict(list)
g['a'].append(1)
g['b'].append('x')
sum(c.values()) / len(c)`,

  `result = {'a': 1}
result['name'] = 'x'
result['items'] = [1]
result['items'].append(2)
result.update(b=[3])
result`,

  `rows = [{'a': '1', 'b': 2}, {'a': '3', 'b': 4.5}]
total = sum(r['b'] for r in rows)
for r in rows: r['c'] = int(r['a']) * 2; r['d'] = None
rows.sort(key=lambda r: r['b'], reverse=True)
rows[0]['a'].upper(), round(total, 2)`,

  `totals = {}
for r in [('a', 1), ('b', 2.5)]:
    totals.setdefault(r[0], []).append(r[1])
means = {k: sum(v) / len(v) for k, v in totals.items()}
', '.join(f'{k}: {v:.1f}' for k, v in means.items())`,

  `import json
d = json.loads('{"a": [1]}')
d['a'][0] + 1
print(json.dumps(d, indent=2, default=str))
with open('/tmp/a.json', 'w') as f: json.dump(d, f)`,

  `import csv, io
rows = list(csv.DictReader(io.StringIO('a,b\\n1,2')))
sum(float(r['a']) for r in rows)
w = csv.writer(io.StringIO())
w.writerow([1, 'a', None])
out = io.StringIO()
d = csv.DictWriter(out, fieldnames=rows[0].keys())
d.writeheader(); d.writerows(rows)`,

  `from datetime import datetime, date, timedelta, timezone
now = datetime.now(timezone.utc)
(now - timedelta(days=3)).date().isoformat()
(date.today() - date(2024, 1, 1)).days + 1
datetime.strptime('2024', '%Y') < datetime.now()
datetime.utcnow()`,

  `class A:
    pass
a = A()
a.x = 1
a.x + 1
class B:
    def __init__(self): self.items = []
    def add(self, x): self.items.append(x); self.last = x; return self
B().add(1).add('b').last`,

  `def f(): pass
f.calls = 0
f.calls += 1`,

  `def walk(node, depth=0, seen=None):
    seen = seen or set()
    if isinstance(node, dict):
        for k, v in node.items(): walk(v, depth + 1, seen)
    elif isinstance(node, list):
        for v in node: walk(v, depth + 1)
    else: seen.add(node)
    return seen
len(walk({'a': [1, 'b']}))`,

  `def mean(xs: list[float]) -> float: return sum(xs) / len(xs)
mean([1, 2])
values = [1, 2, 3]
mean(values)
d = {'a': 1}
def g(m: dict[str, float]): return m
g(d)`,

  `def f(x: int = None, names: list = None, **kw): return (x or 0) + len(names or [])
f(names=['a'], z=1)`,

  `import math, statistics, random, itertools, functools, operator, string
math.sqrt(2) + statistics.mean([1, 2.5]) + random.choice([1, 2])
list(itertools.chain([1], ['a']))
functools.reduce(operator.add, [1, 2], 0)
list(itertools.groupby(sorted([1, 2]), key=lambda n: n % 2))
list(zip([1], 'a', strict=False))`,

  `import os, pathlib, sys
os.environ.get('HOME', '') + '/x'
p = pathlib.Path('/workspace') / 'a.txt'
p.write_text('a'); p.read_text().splitlines()
for q in sorted(p.parent.glob('*.csv')): q.stat().st_size / 1024
os.path.join(os.getcwd(), 'a')
open(os.environ.get('A') or 'b')
if sys.platform == 'emscripten': print('here')`,

  `try:
    1 / 0
except (ZeroDivisionError, ValueError) as e:
    print(e.args[0], str(e))
except Exception as error:
    print(error.code, error.details)`,

  `x = None
for i in range(3):
    if i == 1: x = i
x + 1`,

  `def find(rows, name):
    for r in rows:
        if r['name'] == name: return r
    return None
find([{'name': 'a', 'n': 1}], 'a')['n'] + 1`,

  `matrix = [[0] * 3 for _ in range(3)]
matrix[0][1] = 1.5
matrix[1][2] = 'x'
[sum(row) for row in matrix[:1]]
list(map(list, zip(*matrix)))`,

  `import asyncio
async def one(n):
    await asyncio.sleep(0)
    return n
results = await asyncio.gather(*(one(n) for n in range(3)), return_exceptions=True)
sum(r for r in results)
async def main():
    async with asyncio.TaskGroup() as g:
        ts = [g.create_task(one(n)) for n in range(2)]
    return [t.result() for t in ts]
asyncio.run(main())
[x async for x in (y async for y in agen())] if False else 1`,

  `async with asyncio.timeout(1):
    pass
async for x in y: print(x)`,

  `from __future__ import annotations
from dataclasses import dataclass, field, asdict
@dataclass
class P:
    x: int
    tags: list[str] = field(default_factory=list)
    parent: P | None = None
p = P(1, ['a'])
asdict(p)['x'] + 1
sorted([P(2), P(1)], key=lambda q: q.x)[0].x`,

  `from enum import Enum
class C(Enum):
    A = 'a'
C.A.value.upper()
C['A'].name
C('a') is C.A
[c.value for c in C]`,

  `import numpy as np
import pandas as pd
df = pd.DataFrame({'a': [1]})
df['b'] = df.a * 2
df.groupby('a').b.sum().plot(kind='bar')
np.array([1]).mean() + 1`,

  `import xml.etree.ElementTree as ET
root = ET.fromstring('<a><b>1</b></a>')
int(root.find('b').text) + 1
root.find('b').attrib.get('x', 0)`,

  `import sqlite3
db = sqlite3.connect(':memory:')
db.execute('select 1').fetchone()[0] + 1
for a, b in db.execute('select 1, 2'): a + b`,

  `from urllib.parse import urlparse, quote, parse_qs
urlparse('http://a/b').hostname.split('.')
parse_qs('a=1')['a'][0]`,

  `import hashlib, base64, uuid, time, textwrap, html
hashlib.sha256(b'a').hexdigest()[:8]
base64.b64encode('a'.encode()).decode()
str(uuid.uuid4())
time.time() - 3
html.escape('a')`,

  `s = 'a,b'
a, b = s.split(',')
first, *rest = [1, 2, 3]
(k, v), = {'a': 1}.items()
x, y = y, x = 1, 2`,

  `data = [('a', 1), ('b', 2)]
lookup = dict(data)
lookup['c'] = 2.5
inverse = {v: k for k, v in lookup.items()}
inverse[1].upper()
sorted(data, key=lambda t: (t[1], t[0]))
max(data, key=lambda t: t[1])[0]
min((n for _, n in data), default=None)`,

  `w = tools.weather(city='Oslo')
w['celsius'] * 9 / 5
f"{w['celsius']:.1f}"
w['note'] = 'mine'
w['note'].upper()
range(w['celsius'])
dict(w, a=1)
{**w, 'b': 2}
w.get('kelvin', 0) + 1`,

  `w = await tools.weather(city='Oslo')
w['celsius'] + 1`,

  `cities = ['Oslo', 'Rom']
results = {c: tools.weather(city=c) for c in cities}
max(results, key=lambda c: results[c]['celsius'])
max(results.items(), key=lambda kv: kv[1]['celsius'])[0]
for unit in ['C', 'F']: tools.weather(city='a', unit=unit)
options = {'city': 'Oslo'}
tools.weather(**options)
args = ['Oslo']
tools.weather(*args)
tools.weather('Oslo', 'C')`,

  `import asyncio
rs = await asyncio.gather(*[tools.weather.call_async(city=c) for c in ('a', 'b')])
sum(r['celsius'] for r in rs) / len(rs)`,

  `rows = [tools.weather(city=c) for c in 'ab']
def show(rows: list[dict]) -> None:
    for r in rows: print(r['celsius'])
show(rows)
def one(r: dict) -> float: return r['celsius']
one(rows[0])
import json
json.dumps(rows)
sorted(rows, key=lambda r: r['celsius'])`,

  `tools.list()[0].name
for t in tools.search('weather'): t['name']
tools.weather.signature()
tools['weather'](city='a')['celsius']
getattr(tools, 'weather')(city='a')
tools.weather.describe()['city']
help(tools.weather)`,

  `tools.order(items=[{'sku': 'a', 'count': 1}], address={'street': 'x'})
items = [{'sku': 'a', 'n': 1}]
address = {'street': 'x'}
items.append({'sku': 'b', 'n': 2})
tools.order(items=items, address=address, tags=('a',), when='now', boxes=len(items) / 2)
o = tools.order(items, address)
for line in o['lines']: line['sku'].upper(), line['count'] + 1
if 'ghost' in o: o['ghost']
o['total'] + o['lines'][0]['count']
key = 'total'
o[key]
list(o.values())[0] + 1
o['remark'].upper()
o['status'] == 'open'
tools.order(items=[], address={}, note=None)`,

  `skills.create(name='x', source='')
skills.x(1).y
artifacts.save('a', 1)
artifacts.load('a')['b'] + 1
deps.list()
display({'a': 1}, 2)
final_answer({'a': 1})
final_answer()`,

  `total = sum(1 for _ in range(3))
print(*[1, 2], sep=', ')
print('%s %d' % ('a', 1))
'{:>5}'.format(3)
'a' * 3 + str(1)
int('3') + float('2')
round(2.5) * 'a'
bytes([1, 2])[0] + 1
[1, 2] + ['a']
{1} | {'a'}
(1,) + ('a',)
{'a': 1} | {'b': 'x'}
True + 1
abs(-1.5) // 1`,

  `def gen():
    x = yield 1
    yield from [2, 'a']
next(gen()) + 1
list(gen())
import contextlib
@contextlib.contextmanager
def cm():
    yield 1
with cm() as v: v + 1
from functools import lru_cache, partial
@lru_cache
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(10) + 1
partial(fib, 3)()`,

  `match {'a': [1, 2]}:
    case {'a': [x, *rest]}: x + 1
    case str() as s: s.upper()
    case _: pass
type Pair[T] = tuple[T, T]
def first[T](p: Pair[T]) -> T: return p[0]
first((1, 2)) + 1`,

  `value = input('n')
if value.isdigit(): value = int(value)
value * 2
x = 5
x = 'a'
x.upper()
x = [x]
x.append(1)`,

  `def parse(s):
    try: return int(s)
    except ValueError: return s
parse('1') + 1
parse('a').upper()`,

  `stack = [1]
while stack:
    n = stack.pop()
    if n < 3: stack.extend([n + 1, n + 2])
queue = __import__('collections').deque([('a', 0)])
node, dist = queue.popleft()
dist + 1
import heapq
heap = []
heapq.heappush(heap, (1, 'a'))
heapq.heappop(heap)[1].upper()`,

  `tree = lambda: __import__('collections').defaultdict(tree)
t = tree()
t['a']['b']['c'] = 1
config = {'a': {'b': [1, {'c': 'd'}]}, 'e': 1}
config['a']['b'][1]['c'].upper()
config['a']['z'] = 1`,

  `import subprocess, logging, argparse, copy, decimal, fractions
logging.getLogger('a').info('x %s', 1)
copy.deepcopy({'a': 1})['a'] + 1
decimal.Decimal('1.5') * 2 + decimal.Decimal(1)
fractions.Fraction(1, 3) + 1`,

  `words = open('/workspace/a.txt').read().split()
lines = open('a', encoding='utf-8').readlines()
[l.strip().split(',')[0] for l in lines]
open('b', 'rb').read()[:4].hex()
with open('a') as f, open('b', 'w') as g:
    for i, line in enumerate(f, 1): g.write(f'{i} {line}')`,

  `a = [3, 1, 2]
b = sorted(a)
mid = len(b) // 2
median = b[mid] if len(b) % 2 else (b[mid - 1] + b[mid]) / 2
print(median)
lo, hi = min(a), max(a)
norm = [(x - lo) / (hi - lo) for x in a]
sum(norm) / len(norm)
dict(zip('abc', a))
any(x > 2 for x in a), all(a)
list(range(0, 10, 2))[-1]
a[::2] + a[1:]`,

  `def stats(values):
    n = len(values)
    m = sum(values) / n
    return {'n': n, 'mean': m, 'label': f'{m:.1f}', 'max': max(values)}
s = stats([1, 2.5])
s['mean'] + s['n']
s['label'].upper()
s['extra'] = 3
for k, v in s.items(): print(k, v + 1 if isinstance(v, (int, float)) else v)`,

  `svg = ['<svg>']
for i, (k, v) in enumerate({'a': 1}.items()):
    svg.append(f'<rect x="{i * 10}" height="{v * 2}"/>')
svg.append('</svg>')
''.join(svg)
text = ''
text += 'a' * 3
text.join(map(str, [1, 2]))
'\\n'.join(str(x) for x in [1])`,

  `import typing, collections
Point = collections.namedtuple('Point', 'x y')
p = Point(1, 2)
p.x + p[1]
p._replace(x=3)._asdict()['x'] + 1
class N(typing.NamedTuple):
    a: int
    b: str = ''
N(1).b.upper()
class T(typing.TypedDict, total=False):
    a: int
t: T = {'a': 1}
t['a'] + 1`,

  `from itertools import accumulate, product, combinations, pairwise, islice
list(accumulate([1, 2]))[-1] + 1
[a + b for a, b in product([1], [2])]
[b - a for a, b in pairwise([1, 2.5])]
from collections import OrderedDict, ChainMap, Counter
Counter(['a']).most_common(1)[0][1] + 1
(Counter('a') + Counter('b')).total()
ChainMap({'a': 1}, {'b': 'x'})['a']`,

  `import email, zipfile, io, gzip, struct, shutil, tempfile, glob
z = zipfile.ZipFile(io.BytesIO(), 'w')
z.writestr('a', 'b')
struct.unpack('<I', b'aaaa')[0] + 1
glob.glob('*.py')[0].upper()
email.message_from_string('a')['Subject'].upper()`,
];
