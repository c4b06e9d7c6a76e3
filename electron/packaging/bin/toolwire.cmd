@echo off
rem The command `toolwire` of a package for Windows: the terminal's commands, in the app's own Electron as Node.
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Toolwire.exe" "%~dp0..\app.asar\dist\cli.js" %*
