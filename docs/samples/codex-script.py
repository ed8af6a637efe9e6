import codex_tools

find_result = codex_tools.shell(command=["find", "src", "-name", "*.rs"])
files = find_result["output"].strip().split("\n")
print(f"Found {len(files)} files. Analyzing...")
for file_path in files[:5]:
    content = codex_tools.read_file(file_path=file_path)
    if "TODO" in content:
        print(f"Found TODO in {file_path}")
