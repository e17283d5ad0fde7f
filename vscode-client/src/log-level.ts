/** The level that a line of Python logging names near its start; a line without one is information. */
export function levelOf(line: string): 'error' | 'warn' | 'info' | 'debug' {
  const match = /\b(CRITICAL|ERROR|WARNING|INFO|DEBUG)\b/.exec(line.slice(0, 60));
  switch (match?.[1]) {
    case 'CRITICAL':
    case 'ERROR':
      return 'error';
    case 'WARNING':
      return 'warn';
    case 'DEBUG':
      return 'debug';
    default:
      return line.startsWith('Traceback ') ? 'error' : 'info';
  }
}
